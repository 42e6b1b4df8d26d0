const notes: string[] = []

/** Adds to what is printed if the test fails. */
export const addFailureNote = (text: string): void => void notes.push(text)

/** Returns the notes of this test and removes them. */
export const takeFailureNotes = (): string[] => notes.splice(0)
