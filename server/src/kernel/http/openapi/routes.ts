import type { RouteOptions } from 'fastify'
import type { App } from '../app.ts'
import { type ErrorFormat, findErrorFormat } from '../error-format.ts'

export interface DocumentedRoute {
  method: string
  url: string
  may: string
  /** In bytes, if it differs from the default. */
  bodyLimit: number | undefined
  schema: NonNullable<RouteOptions['schema']>
  errorFormat: ErrorFormat | undefined
}

/** Collects every route as it is registered: the document is made from the schemas that validate and serialize. */
export function collectRoutes(app: App, errorFormats: readonly ErrorFormat[]): DocumentedRoute[] {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config, bodyLimit }) => {
    for (const each of [method].flat()) {
      if (each === 'HEAD' || each === 'OPTIONS' || schema?.hide) continue
      routes.push({
        method: each.toLowerCase(),
        url,
        may: config?.may ?? '',
        bodyLimit,
        schema: schema ?? {},
        errorFormat: findErrorFormat(errorFormats, url),
      })
    }
  })
  return routes
}
