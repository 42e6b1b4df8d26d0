import { describe, expect, it } from 'vitest'
import { detectLanguage, isStopWord } from './language.ts'
import { stem } from './stems.ts'
import { eachWord, folded } from './words.ts'

function words(text: string): string[] {
  const found: string[] = []
  eachWord(text, 0, text.length, (word, at) => {
    expect(text.slice(at)).toSatisfy((rest: string) => rest.startsWith(word.charAt(0)))
    found.push(word)
  })
  return found
}

describe('words', () => {
  it('are runs of letters and digits', () => {
    expect(words('It’s 3,5 km—far_away!')).toEqual(['It', 's', '3', '5', 'km', 'far', 'away'])
  })

  it('are pairs of characters where there are no spaces', () => {
    expect(words('黑豹队 in 東京')).toEqual(['黑豹', '豹队', 'in', '東京'])
    expect(words('人')).toEqual(['人'])
  })

  it('may contain soft hyphens and direction marks', () => {
    expect(words('co\u00adoperate \u202eabc\u202c')).toEqual(['cooperate', 'abc'])
  })

  it('are compared without case, accents and wide forms', () => {
    expect(folded('Straße ÉTÉ ＡＢＣ ﬁn Łódź')).toBe('strasse ete abc fin lodz')
    expect(folded('كِتَاب')).toBe('كتاب')
  })
})

describe('stems', () => {
  it.each([
    ['cities', 'city'],
    ['stopped', 'stops'],
    ['making', 'make'],
    ['churches', 'church'],
    ['quickly', 'quick'],
    ['carried', 'carries'],
  ])('are the same for %s and %s', (one, other) => {
    expect(stem(one, 'english')).toBe(stem(other, 'english'))
  })

  it.each([
    ['stadt', 'stadte'],
    ['kinder', 'kindern'],
    ['grosse', 'grosser'],
    ['verteidigung', 'verteidigungen'],
  ])('are the same for the German %s and %s', (one, other) => {
    expect(stem(one, 'german')).toBe(stem(other, 'german'))
  })

  it('differ for unrelated words', () => {
    expect(stem('string', 'english')).not.toBe(stem('straw', 'english'))
    expect(stem('2024', 'english')).toBe('2024')
  })
})

describe('the language of a message', () => {
  it.each([
    ['What is the capital of France?', 'english'],
    ['Wie heißt die Hauptstadt von Frankreich?', 'german'],
    ['Guten Morgen', 'german'],
    ['黑豹队的防守丢了多少分？', 'other'],
    ['Paris', 'other'],
    ['', 'other'],
  ])('of %j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language)
  })

  it('determines the stop words', () => {
    expect(isStopWord('The', 'english')).toBe(true)
    expect(isStopWord('die', 'english')).toBe(false)
    expect(isStopWord('die', 'german')).toBe(true)
    expect(isStopWord('las', 'other')).toBe(true)
    expect(isStopWord('USA', 'other')).toBe(false)
  })
})
