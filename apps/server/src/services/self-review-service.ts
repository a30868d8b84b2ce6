export { SelfReviewService } from "@anneal/engine/services";
