import { z } from "zod";
import { MODEL_NAME, MODEL_NAME_FORM } from "./model-name-form.ts";

/** A model, by the name that its provider or agent has for it. */
export const ModelName = z.string().regex(MODEL_NAME, MODEL_NAME_FORM);
export type ModelName = z.infer<typeof ModelName>;
