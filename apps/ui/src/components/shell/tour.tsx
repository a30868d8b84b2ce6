import { useAppStore } from "../../store/app-store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";

/** One screen that says what there is to know at the first visit. */
export default function Tour() {
  const endTour = useAppStore((store) => store.endTour);
  return (
    <Dialog title="Welcome to the board" open onClose={endTour} wide>
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>
          Every card is a work item that an agent builds. It moves by itself: written, tested, committed, reviewed,
          fixed, and reviewed again, until it passes.
        </li>
        <li>
          Every loop has limits. When its rounds run out, or a review cannot be read, it stops and the card says{" "}
          <strong>needs you</strong>. Nothing passes without a review.
        </li>
        <li>
          Open a card (<Kbd keys="Enter" />) to see the diff with the findings on their lines, the state of each over
          the rounds, and the agents' transcripts.
        </li>
        <li>
          <Kbd keys="Ctrl+K" /> finds every command, <Kbd keys="?" /> shows the keys.
        </li>
      </ol>
      <div className="flex justify-end">
        <Button look="main" onClick={endTour} autoFocus>
          Show me the board
        </Button>
      </div>
    </Dialog>
  );
}
