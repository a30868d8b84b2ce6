import type { ComponentProps, MouseEvent } from "react";
import { toast } from "sonner";
import { useWhyNot } from "../../api/connection.ts";

const LOOKS = {
  plain: "border border-line bg-panel text-ink hover:bg-raised",
  main: "border border-transparent bg-accent text-on-accent hover:brightness-110",
  quiet: "border border-transparent text-muted hover:bg-raised hover:text-ink",
  danger: "border border-bad bg-bad-soft text-bad hover:brightness-105",
};

export interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  /** Pressing it asks something of the server, which cannot be done while that is away. */
  acts?: boolean;
}

export function Button({ look = "plain", className = "", type = "button", acts = false, ...rest }: ButtonProps) {
  const whyNot = useWhyNot(acts);
  const base =
    "inline-flex h-8 items-center justify-center gap-1.5 rounded-md px-3 text-sm font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55";
  const blocked = whyNot === undefined ? {} : blockedBy(whyNot);
  return <button type={type} className={`${base} ${LOOKS[look]} ${className}`} {...rest} {...blocked} />;
}

/** It keeps the focus, which a disabled button would lose. */
function blockedBy(whyNot: string): ComponentProps<"button"> {
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    toast.info(whyNot, { id: whyNot });
  };
  return { "aria-disabled": true, title: whyNot, onClick };
}
