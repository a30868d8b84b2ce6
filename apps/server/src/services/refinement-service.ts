export { RefinementService } from "@anneal/engine/services";
