import { useAppStore } from "../../store/app-store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";

/** One screen that says what there is to know at the first visit. */
export default function Tour() {
  const endTour = useAppStore((store) => store.endTour);
  return (
    <Dialog title="What you are looking at" open onClose={endTour} wide>
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>
          Every card is a piece of work that an agent does. It moves by itself: written, tested, committed, reviewed,
          fixed, and reviewed again, until it has earned its way to the next column.
        </li>
        <li>
          A loop never goes on for ever. When its rounds run out, or a reviewer cannot be understood, it stops and the
          card says <strong>needs you</strong>. Nothing passes that was not reviewed.
        </li>
        <li>
          Open a card (<Kbd keys="Enter" />) to see the diff with the findings on their lines, what became of each over
          the rounds, and what the agents said.
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
