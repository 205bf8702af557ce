import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../ui/index.js";

/** A button that asks once more: the first press only says what the second will do. */
export function ConfirmButton(props: {
  readonly label: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly testId?: string;
}): ComponentChild {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isAsking) return;
    const timer = setTimeout(() => setAsking(false), 6000);
    return () => clearTimeout(timer);
  }, [isAsking]);
  return (
    <Button
      kind={isAsking ? "danger" : "plain"}
      {...(props.testId === undefined ? {} : { testId: props.testId })}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) props.onConfirm();
      }}
    >
      {isAsking ? props.confirm : props.label}
    </Button>
  );
}
