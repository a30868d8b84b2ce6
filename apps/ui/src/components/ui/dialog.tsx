import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** A window over the page; Escape and a click outside close it, and the focus goes back to where it was. With something written in it, a click outside does nothing. */
export function Dialog({
  title,
  description,
  children,
  open,
  onClose,
  wide = false,
  isDirty = false,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  open: boolean;
  onClose: () => void;
  wide?: boolean;
  isDirty?: boolean;
}) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          className={`fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[92vw] -translate-x-1/2 flex-col gap-3 overflow-auto rounded-lg border border-line bg-panel p-5 shadow-float ${wide ? "max-w-3xl" : "max-w-lg"}`}
          // What is higher than the window scrolls, for the keyboard too; the first field still gets the focus.
          tabIndex={0}
          onInteractOutside={(event) => isDirty && event.preventDefault()}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
        >
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          {description === undefined ? null : (
            <Radix.Description className="text-sm text-muted" asChild>
              <div>{description}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
