export { answerFrom } from './answer.ts'
export { localModel } from './local-model.ts'
export { rankSentences } from './rank/rank-sentences.ts'
export { tokensIn } from './speak.ts'
