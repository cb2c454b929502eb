import type { ScreenProps } from "../frame/console.ts";
import { Title } from "../parts/elements.tsx";
import { AdminKeys } from "./admin-keys.tsx";
import { SigningKeys } from "./signing-keys.tsx";

/** Both kinds of keys: those that Usher signs with, and those that operators and scripts send. */
export function KeysScreen({ title }: ScreenProps) {
  return (
    <>
      <Title text={title} />
      <AdminKeys />
      <SigningKeys />
    </>
  );
}
