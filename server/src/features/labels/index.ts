import type { TSchema } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Done, done, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { PageQuery } from '../../kernel/store/list.ts'
import { ByLabel, Label, LabelBody, TemplateLabel, TemplateLabelBody, type Label as View } from './schema.ts'
import * as service from './service.ts'

export * from './service.ts'

const read = { may: 'read-configuration' } as const
const write = { may: 'write-configuration' } as const

/** Names for versions of agents and prompt templates. */
export const labels: Feature = {
  name: 'labels',
  routes(app, ctx) {
    agentRoutes(app, ctx)
    templateRoutes(app, ctx)
  },
}

function paged(all: View[], query: { page: number; limit: number }) {
  const first = (query.page - 1) * query.limit
  return listed({ rows: all.slice(first, first + query.limit), total: all.length }, query)
}

const listSchema = (tag: string, summary: string, item: TSchema) => ({
  tags: [tag],
  summary,
  params: ById,
  querystring: PageQuery,
  response: { 200: Listed(item) },
})

function agentRoutes(app: App, ctx: Context): void {
  const tags = ['Agents']
  app.get(
    '/agents/:id/labels',
    { config: read, schema: { ...listSchema('Agents', 'List the labels of an agent', Label), querystring: PageQuery } },
    async (request) => paged(await service.agentLabels(ctx, request.caller, request.params.id), request.query),
  )

  app.put(
    '/agents/:id/labels/:label',
    {
      config: write,
      schema: {
        tags,
        summary: 'Label a version of an agent',
        description:
          'Moves the label, or adds it. The next conversation gets the version, on every node. The version labelled `production` answers wherever none is named. A gate stays with the label: every version needs a last run of that evaluation that has passed. A label that a running experiment chooses by cannot be moved.',
        params: ByLabel,
        body: LabelBody,
        response: { 200: Ok(Label) },
        errors: ['unknown_reference', 'gate_failed', 'in_use'],
      },
    },
    async (request) => {
      const { id, label } = request.params
      return ok(await service.setAgentLabel(ctx, request.caller, id, label, request.body))
    },
  )

  app.delete(
    '/agents/:id/labels/:label',
    {
      config: write,
      schema: {
        tags,
        summary: 'Remove a label from an agent',
        description: 'Its gate is removed with it.',
        params: ByLabel,
        response: { 200: Done },
        errors: ['in_use'],
      },
    },
    async (request) => {
      await service.removeAgentLabel(ctx, request.caller, request.params.id, request.params.label)
      return done('The label was removed.')
    },
  )
}

function templateRoutes(app: App, ctx: Context): void {
  const tags = ['Prompt templates']
  app.get(
    '/prompt-templates/:id/labels',
    {
      config: read,
      schema: {
        ...listSchema('Prompt templates', 'List the labels of a prompt template', TemplateLabel),
        querystring: PageQuery,
      },
    },
    async (request) => paged(await service.templateLabels(ctx, request.caller, request.params.id), request.query),
  )

  app.put(
    '/prompt-templates/:id/labels/:label',
    {
      config: write,
      schema: {
        tags,
        summary: 'Label a version of a prompt template',
        description:
          'Moves the label, or adds it. Agents use the version labelled `production`, if there is one, from their next message on.',
        params: ByLabel,
        body: TemplateLabelBody,
        response: { 200: Ok(TemplateLabel) },
        errors: ['unknown_reference', 'in_use'],
      },
    },
    async (request) => {
      const { id, label } = request.params
      return ok(await service.setTemplateLabel(ctx, request.caller, id, label, request.body.version))
    },
  )

  app.delete(
    '/prompt-templates/:id/labels/:label',
    {
      config: write,
      schema: {
        tags,
        summary: 'Remove a label from a prompt template',
        params: ByLabel,
        response: { 200: Done },
        errors: ['in_use'],
      },
    },
    async (request) => {
      await service.removeTemplateLabel(ctx, request.caller, request.params.id, request.params.label)
      return done('The label was removed.')
    },
  )
}
