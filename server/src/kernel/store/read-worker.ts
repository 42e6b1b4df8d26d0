import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile, { readonly: true })
const most = 100
const prepared = new Map<string, BetterSqlite.Statement>()

function statement(sql: string): BetterSqlite.Statement {
  let known = prepared.get(sql)
  if (!known) {
    if (prepared.size >= most) prepared.clear()
    known = sqlite.prepare(sql)
    prepared.set(sql, known)
  }
  return known
}

interface Question {
  id: number
  sql: string
  parameters: unknown[]
}

function answer({ id, sql, parameters }: Question): void {
  try {
    parentPort?.postMessage({ id, answer: statement(sql).all(parameters) })
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message })
  }
}

parentPort?.on('message', (question: Question | 'end') => {
  if (question !== 'end') return answer(question)
  sqlite.close()
  parentPort?.close()
})
