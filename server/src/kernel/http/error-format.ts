import type { TSchema } from 'typebox'
import type { Problem } from '../errors.ts'

/** How errors are written below a path where clients expect another form than ours. */
export interface ErrorFormat {
  /** Below /api, such as `/api/openai/v1`. */
  path: string
  /** How the form is called in the OpenAPI document. */
  name: string
  schema: TSchema
  body(problem: Problem, requestId: string): object
}

/** Also for what is refused before there is a route, which is why it goes by the address. */
export const errorFormatOf = (forms: readonly ErrorFormat[], url: string): ErrorFormat | undefined =>
  forms.find(({ path }) => url.startsWith(path) && /^[/?]|^$/.test(url.slice(path.length)))
