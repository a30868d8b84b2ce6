export { parseCodeReviewResponse } from "@anneal/engine/services";
