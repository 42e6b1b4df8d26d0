import type { Language } from './language.ts'

/** A folded word without its inflection. Light on purpose: related words are found by their common prefix. */
export function stem(word: string, language: Language): string {
  if (word.length < 4 || /\d/.test(word)) return word
  return language === 'german' ? german(word) : english(word)
}

function english(word: string): string {
  const plain = withoutVerbEnding(withoutPlural(word))
  const base = plain.length > 5 ? plain.replace(/(?:ly|ness|ment)$/, '') : plain
  return base.length > 3 ? base.replace(/e$/, '').replace(/y$/, 'i') : base
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`
  const bare = word.replace(/(?:ing|ed)$/, '')
  if (bare === word || bare.length < 3 || !/[aeiouy]/.test(bare)) return word
  return /([bdfgmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare
}

function german(word: string): string {
  const bare = word.length > 6 && /^ge.*t(?:e[mnrs]?)?$/.test(word) ? word.replace(/t(?:e[mnrs]?)?$/, '') : word
  const short = bare.length > 5 ? bare.replace(/(?:ern|em|en|er|es)$/, '') : bare
  const shorter = short === bare ? short.replace(/[esn]$/, '') : short
  return shorter.length > 5 ? shorter.replace(/(?:er|en|st|isch)$/, '') : shorter
}
