export {
  type FoundItem,
  type Inventory,
  type InventoryProblem,
  type ItemGroup,
  inventoryOf,
} from "./project/inventory.ts";
