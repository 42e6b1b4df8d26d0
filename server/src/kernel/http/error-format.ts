import type { TSchema } from 'typebox'
import type { Problem } from '../errors.ts'

/** The error format below a path where clients expect another one than ours. */
export interface ErrorFormat {
  /** Below /api, such as `/api/openai/v1`. */
  path: string
  /** The name of the format in the OpenAPI document. */
  name: string
  schema: TSchema
  body(problem: Problem, requestId: string): object
}

/** Chosen by URL, because it also applies to requests that are rejected before routing. */
export const findErrorFormat = (formats: readonly ErrorFormat[], url: string): ErrorFormat | undefined =>
  formats.find(({ path }) => url.startsWith(path) && /^[/?]|^$/.test(url.slice(path.length)))
