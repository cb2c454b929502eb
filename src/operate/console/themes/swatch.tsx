/** A colour to be seen, and its value to be read: a policy without inline styles allows what an image is filled with. */
export function Swatch({ color, text = color }: { readonly color: string; readonly text?: string }) {
  return (
    <span class="swatch">
      <svg viewBox="0 0 1 1" aria-hidden="true">
        <rect width="1" height="1" fill={color} />
      </svg>
      {text}
    </span>
  );
}
