import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem, unknownReference } from '../../../kernel/errors.ts'
import { conversations, exchangeAround } from '../../conversations/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { maxTextLength, type TestCase } from '../schema.ts'
import { addCases, findEvaluation } from '../service.ts'
import type { FromMessageBody } from './schema.ts'

/** Creates a test case from a question of a conversation, with its reply or a better one as the expected output. */
export async function addFromMessage(ctx: Context, who: Caller, id: string, body: FromMessageBody) {
  const { conversation_id: conversation, message_id: message } = body
  await findEvaluation(ctx, who, id)
  await referenced(conversations.get(ctx, who, conversation), 'conversation_id', conversation)
  const { question, reply } = await referenced(exchangeAround(ctx, who, conversation, message), 'message_id', message)
  if (!question) invalid('message_id', 'has no question before it')
  if (question.content === '' || question.content.length > maxTextLength) {
    invalid('message_id', `belongs to a question that is empty or longer than ${maxTextLength} characters`)
  }
  const testCase: TestCase = {
    input: question.content,
    expected_output: body.expected_output ?? replyText(reply),
    metadata: { conversation_id: conversation, message_id: message, ...body.metadata },
  }
  const row = await addCases(ctx, who, id, [testCase], 'append')
  return { case: row.test_case_count - 1, ...testCase, test_case_count: row.test_case_count }
}

/** A missing resource is an error in the body here. */
const referenced = <T>(lookup: Promise<T>, field: string, id: string): Promise<T> =>
  lookup.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') unknownReference(field, field.replace('_id', ''), id)
    throw error
  })

const replyText = (reply: MessageRow | undefined): string | null =>
  reply?.status === 'completed' && reply.content !== '' ? reply.content.slice(0, maxTextLength).toWellFormed() : null
