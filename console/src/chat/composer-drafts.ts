const keyOf = (name: string): string => `parley-message:${name}`

/** Unsent messages survive a reload, until the tab is closed. */
export const readDraft = (name: string): string => sessionStorage.getItem(keyOf(name)) ?? ''

export function saveDraft(name: string, text: string): void {
  if (text === '') sessionStorage.removeItem(keyOf(name))
  else sessionStorage.setItem(keyOf(name), text)
}
