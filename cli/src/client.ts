// Not client/src/index.ts, which loads a megabyte of generated types.
export { isParleyError } from '../../client/src/errors.ts'
export { readEtag } from '../../client/src/http.ts'
export type { Message, ReplyEvent, Schemas } from '../../client/src/index.ts'
export { Parley } from '../../client/src/parley.ts'
