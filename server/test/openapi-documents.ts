import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Json, Service } from './harness.ts'

const require = createRequire(import.meta.url)
const examples = dirname(require.resolve('@readme/oas-examples/package.json'))

/** The text of a public document, such as `3.1/yaml/petstore.yaml`. */
export const example = (name: string): string => readFileSync(join(examples, name), 'utf8')

export const minimal = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.shop.example/v1' }],
  paths,
  ...more,
})

export async function imported({ post }: Pick<Service, 'post'>, body: object): Promise<Json> {
  const answer = await post('/api-tools/import', body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
