export type { CatalogueEntry, FeatureCatalogue } from "./catalogue.ts";
export { type ContextLimits, loadProjectContext } from "./context.ts";
export type { DamagedFeature, FeatureEntry, FeatureSummary, StoredFeature } from "./entry.ts";
export { InvalidFeatureId, MissingFeature, TakenFeatureId } from "./folder.ts";
export { legalMoves, MOVES, type Move, type Mover, whyIllegal } from "./status.ts";
export { type FeatureStore, type FeatureStoreOptions, featureStore, type NewFeature } from "./store.ts";
export type { FeatureChange, FeatureWatch } from "./watch.ts";
