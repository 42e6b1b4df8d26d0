const draftKey = (name: string): string => `parley-message:${name}`

/** Unsent messages survive a reload, until the tab is closed. */
export const readDraft = (name: string): string => sessionStorage.getItem(draftKey(name)) ?? ''

export function saveDraft(name: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(name))
  else sessionStorage.setItem(draftKey(name), text)
}
