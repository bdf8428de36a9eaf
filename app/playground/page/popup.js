// Where something stands that opens over the page: beside what opened it, on the side with more room.

const GAP = 4; // pixels between the two
const MARGIN = 8; // pixels kept from the window's edge
const ENOUGH = 260; // pixels of room below that make it needless to look above

/** Place an element of the top layer beside its anchor; `isAsWide` makes it as wide. */
export function placeBeside(element, anchor, { isAsWide = false } = {}) {
  const { top, bottom, left, right, width } = anchor.getBoundingClientRect();
  const [above, below] = [top, innerHeight - bottom];
  const isBelow = below >= Math.min(ENOUGH, above);
  const isLeft = isAsWide || left < innerWidth / 2;
  Object.assign(element.style, {
    top: isBelow ? `${bottom + GAP}px` : "auto",
    bottom: isBelow ? "auto" : `${innerHeight - top + GAP}px`,
    left: isLeft ? `${Math.max(MARGIN, left)}px` : "auto",
    right: isLeft ? "auto" : `${Math.max(MARGIN, innerWidth - right)}px`,
    width: isAsWide ? `${width}px` : "",
    maxHeight: `${(isBelow ? below : above) - GAP - MARGIN}px`,
  });
}
