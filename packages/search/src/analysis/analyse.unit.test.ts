import { describe, expect, it } from 'vitest'
import { analysePassage, analyseQuery } from './analyse.ts'
import { languages } from './languages.ts'

const number = (name: string) => languages.findIndex((language) => language.name === name)
const english = number('english')
const german = number('german')

/** Whether the query has a word in common with the passage. */
function matches(query: string, passage: string, present?: number[]): boolean {
  const { language, terms } = analysePassage(passage)
  return analyseQuery(query, present ?? [language]).some((word) => word.terms.some((term) => terms.includes(term)))
}

describe('language', () => {
  it.each([
    ['english', 'The defence of the team was the best that there had been in years.'],
    ['german', 'Die Verteidigung der Mannschaft war die beste, die es je gegeben hat.'],
    ['french', "La défense de l'équipe était la meilleure que l'on ait vue dans les années."],
    ['spanish', 'La defensa del equipo fue la mejor que se había visto en los años.'],
    ['italian', 'La difesa della squadra è stata la migliore che si sia vista negli anni.'],
    ['portuguese', 'A defesa da equipe foi a melhor que já se viu em anos, e não foi a única.'],
    ['dutch', 'De verdediging van het team was de beste die er in jaren is geweest.'],
    ['swedish', 'Lagets försvar var det bästa som man hade sett på många år och det är inte allt.'],
    ['russian', 'Защита команды была лучшей, что он видел за все годы.'],
  ])('is detected by its function words: %s', (name, text) => {
    expect(languages[analysePassage(text).language]?.name).toBe(name)
  })

  it('falls back to that of the document', () => {
    expect(analysePassage('Rams, Chargers, Lakers, Clippers', german).language).toBe(german)
    expect(analysePassage('42 43 44', english).language).toBe(english)
  })

  it('is not confused by a repeated foreign name', () => {
    const text = 'Teams: Los Angeles Rams, Los Angeles Lakers, Los Angeles Kings, and the LA Galaxy of Los Angeles'
    expect(analysePassage(text, english).language).toBe(english)
  })
})

describe('terms', () => {
  it.each([
    ['connected', 'The connection of the two is what it was.'],
    ['NAIVE', 'This is a naïve idea that we had.'],
    ['Häuser', 'Das Haus ist alt und es wird nicht verkauft. Die Häuser sind es auch.'],
    ['Haus', 'Die alten Häuser der Stadt sind nicht mehr zu kaufen.'],
    ['Hauser', 'Die alten Häuser der Stadt sind nicht mehr zu kaufen.'],
    ['strasse', 'Die Straße ist eine der ältesten der Stadt.'],
    ['ﬁle', 'This is the file that was lost.'],
    ['防守', '黑豹队的防守只丢了 308分'],
    ['税', '这个税很高'],
    ['テキスト', '日本語のﾃｷｽﾄです'],
    ['한국', '한국어 텍스트'],
    ['co\u00adoperate', 'We have to cooperate with them.'],
    ['il6', 'The level of IL-6 was what they had measured.'],
    ['IL-6', 'The level of il6 was what they had measured.'],
    ['3d', 'This is the 3-D picture that we had.'],
  ])('of the query %s are found', (query, passage) => {
    expect(matches(query, passage)).toBe(true)
  })

  it.each([
    ['new', 'The news is what he was after.'],
    ['テキ', 'これはキテの話'],
    ['cat', 'The catalogue of the year.'],
  ])('of the query %s are not found in %s', (query, passage) => {
    expect(matches(query, passage)).toBe(false)
  })

  it('count how often they occur, up to 255', () => {
    const { length, terms, counts } = analysePassage(`${'water '.repeat(300)} fire`, english)
    expect(length).toBe(301)
    expect(terms.length).toBe(2)
    expect([...counts].sort()).toEqual([1, 255])
    expect([...terms]).toEqual([...terms].sort((one, other) => one - other))
  })
})

describe('a query', () => {
  it('omits function words unless it has nothing else', () => {
    expect(analyseQuery('What is the defence of it?', [english])).toHaveLength(1)
    expect(analyseQuery('to be or not to be', [english])).toHaveLength(4)
  })

  it('is stemmed in the language of the index', () => {
    const passage = 'Die Mannschaften der Liga waren nicht zu schlagen.'
    expect(matches('Mannschaft', passage, [german])).toBe(true)
  })

  it('is stemmed in every language of a mixed index if its own is unclear', () => {
    const passage = 'Die Mannschaften der Liga waren nicht zu schlagen.'
    expect(matches('Mannschaft', passage, [english, german])).toBe(true)
    expect(matches('Wo ist die Mannschaft?', passage, [english, german])).toBe(true)
  })

  it('gives a repeated word more weight', () => {
    expect(analyseQuery('water water fire', [english]).map(({ weight }) => weight)).toEqual([2, 1])
  })
})
