import { expect, it } from 'vitest'
import { inferType } from './infer-type.ts'

it.each([
  ['text-embedding-3-small', 'embedding'],
  ['text-embedding-ada-002', 'embedding'],
  ['gemini-embedding-001', 'embedding'],
  ['mistral-embed', 'embedding'],
  ['embed-multilingual-v3.0', 'embedding'],
  ['nomic-embed-text:latest', 'embedding'],
  ['sentence-transformers/all-MiniLM-L12-v2', 'embedding'],
  ['sentence-transformers/all-mpnet-base-v2', 'embedding'],
  ['BAAI/bge-m3', 'embedding'],
  ['intfloat/multilingual-e5-large', 'embedding'],
  ['thenlper/gte-large', 'embedding'],
  ['voyage-3-lite', 'embedding'],
  ['parley-static-256', 'embedding'],
  ['rerank-v3.5', 'rerank'],
  ['BAAI/bge-reranker-v2-m3', 'rerank'],
  ['jina-reranker-v2-base-multilingual', 'rerank'],
  ['gpt-4o-mini', 'chat'],
  ['claude-sonnet-4-5', 'chat'],
  ['gemini-2.5-flash', 'chat'],
  ['llama3.1:8b-instruct', 'chat'],
  ['parley-extractive', 'chat'],
])('the type of %s is %s', (name, type) => {
  expect(inferType(name)).toBe(type)
})
