const notes: string[] = []

/** Adds a note that is printed if the test fails. */
export const addFailureNote = (text: string): void => void notes.push(text)

/** Returns the notes of this test and removes them. */
export const takeFailureNotes = (): string[] => notes.splice(0)
