import { exchange, type Place } from './exchange.ts'
import { type Completion, type GenerateRequest, type LanguageModel, ProviderError } from './model.ts'
import { ChatReply } from './openai-reply.ts'
import { chatBody, type Dialect, otherDialect, usualDialect } from './openai-request.ts'

/** A model behind the OpenAI wire, as most providers and local servers speak it. */
export class OpenAiModel implements LanguageModel {
  private readonly place: Place
  private readonly model: string
  private readonly options: Record<string, unknown>
  /** How this server wants to be spoken to, as far as it has been found out. */
  private dialect = usualDialect

  constructor(place: Place, model: string, options: Record<string, unknown> = {}) {
    this.place = place
    this.model = model
    this.options = options
  }

  async generate(request: GenerateRequest): Promise<Completion> {
    let { dialect } = this
    for (;;) {
      try {
        const completion = await this.ask(request, dialect)
        this.dialect = dialect
        return completion
      } catch (error) {
        const other = differently(error, dialect, request)
        if (other === null) throw error
        dialect = other
      }
    }
  }

  private ask(request: GenerateRequest, dialect: Dialect): Promise<Completion> {
    const body = chatBody(this.model, this.options, request, dialect)
    return new Promise((resolve, reject) => {
      const reply = new ChatReply((delta) => request.onText(delta), this.place.apiKey, resolve, reject)
      exchange(this.place, body, request.signal, reply)
    })
  }
}

function differently(error: unknown, dialect: Dialect, request: GenerateRequest): Dialect | null {
  const isRefusal = error instanceof ProviderError && (error.status === 400 || error.status === 422)
  return isRefusal ? otherDialect(error.message, dialect, request.maxTokens !== null) : null
}
