import { type TSchema, Type } from 'typebox'
import type { MediaType } from './app.ts'
import { makeExample } from './openapi/examples.ts'

/** JSON Lines: an object on each line. */
export const jsonLines = (line: TSchema): Record<string, MediaType> => ({
  'application/x-ndjson': {
    schema: Type.String({ contentSchema: line, description: 'A JSON object on each line.' }),
    example: `${JSON.stringify(makeExample(line))}\n`,
  },
})

/** Server-Sent Events. The schema is that of the `data` of each event. */
export const eventStream = (event: TSchema, example: object): Record<string, MediaType> => ({
  'text/event-stream': { schema: event, example },
})
