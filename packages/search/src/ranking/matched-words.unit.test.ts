import { describe, expect, it } from 'vitest'
import { analyseQuery } from '../analysis/analyse.ts'
import { languages } from '../analysis/languages.ts'
import { wordMatcher } from './matched-words.ts'

const findLanguage = (name: string) => languages.findIndex((language) => language.name === name)
const matched = (query: string, text: string, language = findLanguage('english')) =>
  wordMatcher(analyseQuery(query, [language]))({ headings: [], text }, language)

describe('the words of a query in a passage', () => {
  it('are found in any form and returned as they are spelled', () => {
    expect(matched('How are filters changed?', 'A Filter; the filter is changing, FILTERS change.')).toEqual([
      'Filter',
      'filter',
      'changing',
      'FILTERS',
      'change',
    ])
    expect(matched('nothing here', 'A filter.')).toEqual([])
  })

  it('are found although stemming changes their letters', () => {
    expect(matched('Who lies dying?', 'A man was lying there; he died of Lyme disease, DYING')).toEqual([
      'lying',
      'died',
      'DYING',
    ])
    expect(matched('is x a 2nd vitamin', 'Vitamins X, B2 and the 2nd x-ray')).toEqual(['Vitamins', 'X', '2nd', 'x'])
  })

  it('omit function words unless there are no others', () => {
    expect(matched('the filter', 'The filter of the pump')).toEqual(['filter'])
    expect(matched('to be or not to be', 'Not to be')).toEqual(['Not', 'to', 'be'])
  })

  it('are stemmed in the language of the passage, with or without diacritics', () => {
    expect(matched('die Häuser', 'Das Haus hat HÄUSER', findLanguage('german'))).toEqual(['Haus', 'HÄUSER'])
    expect(matched('ete', 'L’été et l’E\u0301té', findLanguage('french'))).toEqual(['été', 'E\u0301té'])
    expect(matched('ABC fine', 'Ａｂｃ und ﬁne co\u00adoperate', findLanguage('unknown'))).toEqual(['Ａｂｃ', 'ﬁne'])
  })

  it('are runs of characters in scripts without spaces', () => {
    const unknown = findLanguage('unknown')
    expect(matched('防守组', '黑豹队NFL防守组很强', unknown)).toEqual(['防守组'])
    expect(matched('コーヒー', '熱いコーヒー、冷たいコーヒー', unknown)).toEqual(['コーヒー'])
    expect(matched('ガス', 'ｶﾞｽ', unknown)).toEqual(['ｶﾞｽ'])
    expect(matched('茶', '紅茶と珈琲', unknown)).toEqual(['茶'])
  })
})
