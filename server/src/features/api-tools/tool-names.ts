/** A name that models accept. */
export const nameOf = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64) || 'operation'
