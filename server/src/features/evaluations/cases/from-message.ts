import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem, unknownReference } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { findBasis } from '../../conversations/hidden.ts'
import { conversations, exchangeAround } from '../../conversations/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { maxTextLength, type TestCase } from '../schema.ts'
import { addCases, findEvaluation, replaceCase } from '../service.ts'
import type { FromMessageBody } from './schema.ts'

interface CaseSource {
  conversation_id: string
  message_id: string
  /** Undefined: the reply. */
  expected: string | null | undefined
  metadata?: Record<string, unknown> | null | undefined
}

/** Creates a test case from a question of a conversation, with its reply or a better one as the expected output. */
export const addFromMessage = (ctx: Context, who: Caller, id: string, body: FromMessageBody) =>
  addCaseFrom(ctx, who, id, { ...body, expected: body.expected_output ?? undefined })

export async function addCaseFrom(ctx: Context, who: Caller, id: string, source: CaseSource, db: Db = ctx.db) {
  const { testCase, basis } = await caseFrom(ctx, who, id, source)
  const row = await addCases(ctx, who, id, [testCase], 'append', { db, basis })
  return { case: row.test_case_count - 1, ...testCase, test_case_count: row.test_case_count }
}

/** Replaces the test case that a review has made. Returns whether there is one. */
export async function replaceCaseOfReview(
  ctx: Context,
  who: Caller,
  id: string,
  review: string,
  source: CaseSource,
  db: Db,
): Promise<boolean> {
  const { testCase, basis } = await caseFrom(ctx, who, id, source)
  const isOfReview = ({ metadata }: TestCase) => metadata?.review_id === review
  return (await replaceCase(ctx, who, id, isOfReview, testCase, { db, basis })) !== undefined
}

async function caseFrom(
  ctx: Context,
  who: Caller,
  id: string,
  source: CaseSource,
): Promise<{ testCase: TestCase; basis: string[] }> {
  const { conversation_id: conversation, message_id: message, expected } = source
  await findEvaluation(ctx, who, id)
  await referenced(conversations.get(ctx, who, conversation), 'conversation_id', conversation)
  const { question, reply } = await referenced(exchangeAround(ctx, who, conversation, message), 'message_id', message)
  if (!question) invalid('message_id', 'has no question before it')
  if (question.content === '' || question.content.length > maxTextLength) {
    invalid('message_id', `belongs to a question that is empty or longer than ${maxTextLength} characters`)
  }
  const testCase: TestCase = {
    input: question.content,
    expected_output: expected === undefined ? replyText(reply) : expected,
    metadata: { conversation_id: conversation, message_id: message, ...source.metadata },
  }
  return { testCase, basis: await findBasis(ctx.db, who.workspace, conversation, (reply ?? question).id) }
}

/** A missing resource is an error in the body here. */
const referenced = <T>(lookup: Promise<T>, field: string, id: string): Promise<T> =>
  lookup.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') unknownReference(field, field.replace('_id', ''), id)
    throw error
  })

const replyText = (reply: MessageRow | undefined): string | null =>
  reply?.status === 'completed' && reply.content !== '' ? reply.content.slice(0, maxTextLength).toWellFormed() : null
