const shortest = 3
const mostWords = 30

/** A pattern that finds the words of a query in a text, also where they go on, as in "invoice" and "invoices". */
export function wordsIn(query: string): RegExp | null {
  const words = query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortest)
    .slice(0, mostWords)
  return words.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join('|')})[\\p{L}\\p{N}]*)`, 'giu')
}
