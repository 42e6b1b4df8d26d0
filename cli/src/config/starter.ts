import { formatVersion } from './schema.ts'

/** The file that `parley init` writes. It needs no secret and no model, so that it can be applied as it is. */
export const starterFile = `# A workspace of Parley. See what would change: parley diff FILE. Make it so: parley apply FILE.
# Resources are found by their name. docs/config-as-code.md lists all sections.

parley: ${formatVersion}

# Without a model of its own, an agent uses the default chat model of the workspace. Keys stay in the environment:
#
# models:
#   - name: Mistral
#     provider: mistral
#     model_id: mistral-small-latest
#     api_key: \${env:MISTRAL_API_KEY}

knowledge_sources:
  - name: Starter notes
    type: text
    configuration:
      documents:
        - title: Opening hours
          content: |
            We answer mails from Monday to Friday, 9 to 17 h.
            Parcels take three days.

rag_tools:
  - name: Search the starter notes
    knowledge_source: Starter notes

agents:
  - name: Starter assistant
    system_prompt: |
      You answer questions about our service.
      Search the notes first, and say so if they do not have the answer.
    # model: Mistral
    tools:
      - Search the starter notes

evaluations:
  - name: Starter check
    type: agent
    target: Starter assistant
    test_cases:
      - input: How long does a parcel take?
        expected_output: three days
    scorers:
      - type: contains
`
