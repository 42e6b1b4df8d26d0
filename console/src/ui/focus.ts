/**
 * Where what had the focus is gone, such as a dialog with the page it was opened on, the focus goes to the heading of the
 * page: whoever uses the keyboard or listens would otherwise begin anew at the top.
 */
export function catchFocus(): void {
  // Dialogs that close put it back where it was, a moment later and in vain.
  setTimeout(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const main = document.getElementById('main')
    const place = main?.querySelector<HTMLElement>('h1') ?? main
    place?.focus({ preventScroll: true })
  }, 50)
}
