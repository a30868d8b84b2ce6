export {
  type FoundItem,
  type Inventory,
  type InventoryProblem,
  type ItemGroup,
  inventoryOf,
  isOpen,
} from "./project/inventory.ts";
