import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import type { App, Reply, Request } from '../../../kernel/http/app.ts'
import { ById, Listed, Ok } from '../../../kernel/http/envelope.ts'
import { jsonLines } from '../../../kernel/http/media-types.ts'
import { chosenRun } from '../runs/service.ts'
import { presentRun } from '../runs/store.ts'
import { Result, Results, ResultsQuery } from '../schema.ts'
import { scorerLabels } from '../scorers/scorers.ts'
import { asCsv, asJsonLines } from './export.ts'
import { allResults, results } from './service.ts'

type Format = NonNullable<ResultsQuery['format']>

const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' }

/** The format in the query, else in the `Accept` header. */
function resultFormat({ headers }: Request, requested: Format | undefined): Format {
  if (requested !== undefined) return requested
  const accept = headers.accept ?? ''
  if (accept.includes('text/csv')) return 'csv'
  return /application\/(x-ndjson|jsonl)/.test(accept) ? 'jsonl' : 'json'
}

const csvExample = `case,input,expected_output,actual_output,passed,error,latency_ms,tokens,cost,conversation_id,similarity_score,similarity_passed,similarity_reason
0,Where is my parcel?,On its way.,It is on its way.,true,,812,345,0.0021,,0.93,true,
`

const Paged = Type.Object({ ...Ok(Results).properties, pagination: Listed(Results).properties.pagination })

export function resultRoutes(app: App, ctx: Context): void {
  app.get(
    '/evaluations/:id/results',
    {
      config: { may: 'read-configuration' },
      schema: {
        tags: ['Evaluations'],
        summary: 'Get the results of a run, and compare it with another',
        description:
          'Shows the newest run, or `run_id`. `compare_to` adds a comparison with an earlier run; the verdict is then also `failed` if something became significantly worse. For a file with all results use `format=csv` or `format=jsonl`, or an `Accept` header of `text/csv` or `application/x-ndjson`.',
        params: ById,
        querystring: ResultsQuery,
        response: { 200: Paged },
        content: {
          'text/csv': { schema: Type.String(), example: csvExample },
          ...jsonLines(Result),
        },
        responseHeaders: { 'Content-Disposition': 'The name of the file, for `csv` and `jsonl`.' },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const format = resultFormat(request, request.query.format)
      if (format !== 'json') return sendFile(ctx, request, reply, id, format)
      const { page, limit } = request.query
      const { run, total, ...view } = await results(ctx, request.caller, id, request.query)
      return {
        success: true as const,
        data: { run: presentRun(run), ...view },
        pagination: { page, limit, total, pages: Math.ceil(total / limit) },
      }
    },
  )
}

async function sendFile(
  ctx: Context,
  request: Request,
  reply: Reply,
  id: string,
  format: Exclude<Format, 'json'>,
): Promise<Reply> {
  const query = request.query as ResultsQuery
  const run = await chosenRun(ctx, request.caller, id, query.run_id)
  const pages = allResults(ctx.db, run, query.outcome)
  const lines = format === 'csv' ? asCsv(pages, scorerLabels(run.scorers)) : asJsonLines(pages)
  return reply
    .type(mediaTypes[format])
    .header('content-disposition', `attachment; filename="${run.id}.${format}"`)
    .send(Readable.from(lines))
}
