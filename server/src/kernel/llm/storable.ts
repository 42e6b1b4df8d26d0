/** No database keeps a NUL in a text, and what is shown must be what is kept. */
export const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)
