import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/state.tsx";

export function NotFound() {
  return (
    <Empty title="There is nothing at this address.">
      <Link to="/" className="text-accent underline">
        Go to the board
      </Link>
    </Empty>
  );
}
