export { termOf } from './rank/question.ts'
export { languageOf } from './text/language.ts'
export { eachWord } from './text/words.ts'
