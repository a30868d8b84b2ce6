import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/state.tsx";

export function NotFound() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <Empty title="Page not found.">
        <Link to="/" className="text-accent underline">
          Go to the board
        </Link>
      </Empty>
    </>
  );
}
