/**
 * Moves the focus to the page heading if the focused element is gone, so that keyboard and screen reader users do not
 * start at the top again.
 */
export function recoverFocus(): void {
  for (const delay of checks) setTimeout(focusHeadingIfLost, delay)
}

/** A closing dialog first tries to restore the focus itself, and a page may take a while to appear. */
const checks = [50, 300, 1500]

function focusHeadingIfLost(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const main = document.getElementById('main')
  const target = main?.querySelector<HTMLElement>('h1') ?? main
  target?.focus({ preventScroll: true })
}
