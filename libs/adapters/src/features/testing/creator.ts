// Makes one feature in the given project.
import { featureStore } from "../store.ts";

await featureStore(process.argv[2] ?? "").create({ title: "T", description: "D" });
