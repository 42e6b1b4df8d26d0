// Generated from openapi.json by `npm run client`. Do not edit.
export interface paths {
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Permission: `read-agents`.
         */
        get: operations["getAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Permission: `write-configuration`.
         */
        post: operations["postAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Permission: `read-agents`.
         */
        get: operations["getAgentsById"];
        /**
         * Update an agent
         * @description Permission: `write-configuration`.
         */
        put: operations["putAgentsById"];
        post?: never;
        /**
         * Delete an agent
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteAgentsById"];
        options?: never;
        head?: never;
        /**
         * Update an agent (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchAgentsById"];
        trace?: never;
    };
    "/api/agents/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try changes of an agent without saving them
         * @description Runs the agent with the given fields in place of the saved ones and answers the last of `messages`. Fields that are left out are as saved, or as in `base_version`. Neither the changes nor the conversation are stored; the model calls are billed and limited by budgets like all others. Tools are called, but calls that need approval are `refused`, because nobody can approve them here. With `stream: true` the answer is `text/event-stream` with the events of a message. A disconnect cancels. Permission: `write-configuration`.
         */
        post: operations["postAgentsByIdTry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description Permission: `read-configuration`.
         */
        get: operations["getAgentsByIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of an agent
         * @description Permission: `read-configuration`.
         */
        get: operations["getAgentsByIdVersionsByVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of an agent
         * @description Creates a new version with the fields of the old one. Permission: `write-configuration`.
         */
        post: operations["postAgentsByIdVersionsByVersionRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened in the conversations of a period
         * @description Tokens, cost, errors and feedback count every reply, also one that was regenerated; messages count what the conversations show. Permission: `read-configuration`.
         */
        get: operations["getAnalyticsConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API tools
         * @description Permission: `read-configuration`.
         */
        get: operations["getApiTools"];
        put?: never;
        /**
         * Create an API tool
         * @description Permission: `write-configuration`.
         */
        post: operations["postApiTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API tool
         * @description Permission: `read-configuration`.
         */
        get: operations["getApiToolsById"];
        /**
         * Update an API tool
         * @description Permission: `write-configuration`.
         */
        put: operations["putApiToolsById"];
        post?: never;
        /**
         * Delete an API tool
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteApiToolsById"];
        options?: never;
        head?: never;
        /**
         * Update an API tool (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchApiToolsById"];
        trace?: never;
    };
    "/api/api-tools/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an API tool as a model would
         * @description Failures are in `error`. Secrets are masked in the response. Permission: `write-configuration`.
         */
        post: operations["postApiToolsByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of an MCP server
         * @description The tools in effect, and how the server has changed them since. Does not contact the server. Permission: `read-configuration`.
         */
        get: operations["getApiToolsByIdTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools/{id}/tools/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the changed tools of an MCP server
         * @description Puts what the server offers into effect. 412 if it has changed again since it was reviewed. Permission: `write-configuration`.
         */
        post: operations["postApiToolsByIdToolsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools/{id}/tools/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an MCP server for its tools now
         * @description Permission: `write-configuration`.
         */
        post: operations["postApiToolsByIdToolsRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-tools/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import tools from an OpenAPI document
         * @description Creates one tool per operation. Importing the same document again updates its tools and keeps their names and secrets. Operations that cannot become tools are listed with the reason. Permission: `write-configuration`.
         */
        post: operations["postApiToolsImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Every change by a request, stored in the transaction that made it. Messages are not audited; completing and deleting conversations is. Permission: `administer`.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends this session, or with `everywhere` all sessions of its token. The token itself stays valid. Permission: `see-status`.
         */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session
         * @description Permission: `see-status`.
         */
        get: operations["getAuthSession"];
        put?: never;
        /**
         * Sign in
         * @description Starts a session of this browser with a token. The response sets the cookie `parley_session`, which scripts cannot read. Requests with the cookie count only if they come from the same origin and carry the header `X-Requested-With` (reads by link need no header).
         */
        post: operations["postAuthSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Permission: `converse`.
         */
        get: operations["getConversations"];
        put?: never;
        /**
         * Create a conversation
         * @description Permission: `converse`.
         */
        post: operations["postConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description Permission: `converse`.
         */
        get: operations["getConversationsById"];
        /**
         * Update a conversation
         * @description Permission: `converse`.
         */
        put: operations["putConversationsById"];
        post?: never;
        /**
         * Delete a conversation
         * @description Permission: `converse`.
         */
        delete: operations["deleteConversationsById"];
        options?: never;
        head?: never;
        /**
         * Update a conversation (the same as PUT)
         * @description Permission: `converse`.
         */
        patch: operations["patchConversationsById"];
        trace?: never;
    };
    "/api/conversations/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a conversation
         * @description Permission: `converse`.
         */
        post: operations["postConversationsByIdComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation, oldest first
         * @description Those of the active branch. `versions` of a message names the ones beside it. Permission: `converse`.
         */
        get: operations["getConversationsByIdMessages"];
        put?: never;
        /**
         * Send a message and get the reply
         * @description With `stream: true` the answer is `text/event-stream`: `message.started`, `text.delta`, `tool.started`, `tool.finished`, `approval.required`, and one of `message.completed`, `message.failed`, `message.cancelled`. A reply that waits for approval has status `awaiting_approval`, and its stream ends after `approval.required` of every call it waits for. A disconnect does not cancel. Permission: `converse`.
         */
        post: operations["postConversationsByIdMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Permission: `converse`.
         */
        get: operations["getConversationsByIdMessagesByMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch to another version of a message
         * @description Makes the branch of the message the active one: the messages before it, and after it the newest ones. Lists, GET and the next message to the agent use the active branch. Answers with the conversation. Permission: `converse`.
         */
        post: operations["postConversationsByIdMessagesByMessageActivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or refuse a tool call
         * @description Of a reply with status `awaiting_approval`. When every call it waits for is decided, the turn goes on, and the answer is the reply once it is whole (or waits again); before that, the message as it is. With `stream: true` the answer is the rest of the events, numbered on from `approval.required`. The same decision again changes nothing and answers with the message as it is; the opposite one is 409. Permission: `converse`.
         */
        post: operations["postConversationsByIdMessagesByMessageApprovals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a reply
         * @description Permission: `converse`.
         */
        post: operations["postConversationsByIdMessagesByMessageCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a reply was good
         * @description Permission: `converse`.
         */
        post: operations["postConversationsByIdMessagesByMessageFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get another reply in place of the last one
         * @description The last one stays as an earlier version. With `stream: true` the answer is `text/event-stream`: `message.started`, `text.delta`, `tool.started`, `tool.finished`, `approval.required`, and one of `message.completed`, `message.failed`, `message.cancelled`. A reply that waits for approval has status `awaiting_approval`, and its stream ends after `approval.required` of every call it waits for. A disconnect does not cancel. Permission: `converse`.
         */
        post: operations["postConversationsByIdMessagesByMessageRegenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a reply, or see it streamed again
         * @description Starts after the event named by `Last-Event-ID` or `after`; any number of clients can follow. Permission: `converse`.
         */
        get: operations["getConversationsByIdMessagesByMessageStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/messages/{message}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the steps of a reply
         * @description What the turn did, and how long each step took: model calls with their tokens and cost, tool calls, searches, and waits for approval. A reply that is being written shows its steps so far. Permission: `converse`.
         */
        get: operations["getConversationsByIdMessagesByMessageTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the messages, tokens and cost of a conversation
         * @description Messages are those of the active branch. Tokens and cost are those of all branches. Permission: `converse`.
         */
        get: operations["getConversationsByIdTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all conversations with their messages
         * @description A JSON object on each line, oldest first, as GET of one shows it but with every message. Permission: `converse`.
         */
        get: operations["getConversationsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List evaluations
         * @description Permission: `read-configuration`.
         */
        get: operations["getEvaluations"];
        put?: never;
        /**
         * Create an evaluation
         * @description Permission: `write-configuration`.
         */
        post: operations["postEvaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evaluation
         * @description Permission: `read-configuration`.
         */
        get: operations["getEvaluationsById"];
        /**
         * Update an evaluation
         * @description Permission: `write-configuration`.
         */
        put: operations["putEvaluationsById"];
        post?: never;
        /**
         * Delete an evaluation
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteEvaluationsById"];
        options?: never;
        head?: never;
        /**
         * Update an evaluation (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchEvaluationsById"];
        trace?: never;
    };
    "/api/evaluations/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a run, and compare it with another
         * @description Of the newest run, or of `run_id`. `compare_to` adds a comparison with an earlier run; the verdict is then also `failed` if something became significantly worse. For a file with all results use `format=csv` or `format=jsonl`, or an `Accept` header of `text/csv` or `application/x-ndjson`. Permission: `read-configuration`.
         */
        get: operations["getEvaluationsByIdResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run of an evaluation
         * @description The run uses the cases, the scorers and the version of the target as they are now. It resumes after a crash and bills no case twice. Permission: `write-configuration`.
         */
        post: operations["postEvaluationsByIdRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an evaluation
         * @description Permission: `read-configuration`.
         */
        get: operations["getEvaluationsByIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run of an evaluation
         * @description Permission: `read-configuration`.
         */
        get: operations["getEvaluationsByIdRunsByRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/runs/{run}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Finished cases are kept. A run that has ended is not changed. Permission: `write-configuration`.
         */
        post: operations["postEvaluationsByIdRunsByRunCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/test-cases/from-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a test case from a message
         * @description Permission: `write-configuration`.
         */
        post: operations["postEvaluationsByIdTestCasesFromMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/evaluations/{id}/test-cases/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import test cases from CSV or JSON Lines
         * @description The first row of CSV names the columns: `input`, and optionally `expected_output` and `metadata` (a JSON object). Other columns become metadata. The body can also be the file itself, as `text/csv` or `application/x-ndjson`. Permission: `write-configuration`.
         */
        post: operations["postEvaluationsByIdTestCasesImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description For `attachments` of a message. Images are PNG, JPEG, WebP or GIF of at most 20 MiB; documents are of any format that knowledge sources read. The content decides about the type. A file that no message uses is deleted after 24 hours. Permission: `converse`.
         */
        post: operations["postFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description A token of role `user` sees the files it has uploaded, and those in conversations that it can read. Permission: `converse`.
         */
        get: operations["getFilesById"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description A file that is attached to a message cannot be deleted (`in_use`). Deleting a conversation deletes the files that only it uses. Permission: `converse`.
         */
        delete: operations["deleteFilesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Permission: `converse`.
         */
        get: operations["getFilesByIdContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the health of the service
         * @description For load balancers and monitoring. It needs no token and is not limited.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process responds
         * @description For supervisors that restart a process that hangs. It stays 200 while the database is down, because a restart would not help.
         */
        get: operations["getHealthLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List knowledge sources
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSources"];
        put?: never;
        /**
         * Create a knowledge source
         * @description Permission: `write-configuration`.
         */
        post: operations["postKnowledgeSources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a knowledge source
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesById"];
        /**
         * Update a knowledge source
         * @description Permission: `write-configuration`.
         */
        put: operations["putKnowledgeSourcesById"];
        post?: never;
        /**
         * Delete a knowledge source
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteKnowledgeSourcesById"];
        options?: never;
        head?: never;
        /**
         * Update a knowledge source (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchKnowledgeSourcesById"];
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a source
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdDocuments"];
        put?: never;
        /**
         * Upload documents
         * @description Uploads one or more files. A file replaces the document of the same name, which stays searchable until the new one is. The sync starts by itself. A file that is empty, too large or of a type that the source does not accept gets the status `failed` with the reason in `error`, and the others are taken; if none can be taken, the request fails. Permission: `write-configuration`.
         */
        post: operations["postKnowledgeSourcesByIdDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdDocumentsByDocument"];
        /**
         * Change the metadata of a document
         * @description Of an uploaded file or a text. Replaces the metadata that was given before; what was read from the file itself stays. A sync then applies it to searches. Permission: `write-configuration`.
         */
        put: operations["putKnowledgeSourcesByIdDocumentsByDocument"];
        post?: never;
        /**
         * Delete a document
         * @description Deletes the file, its text and its passages. A page of a `web` source or a file of a `directory` source that still exists comes back with the next sync. Permission: `write-configuration`.
         */
        delete: operations["deleteKnowledgeSourcesByIdDocumentsByDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents/{document}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passages of a document
         * @description The passages in the source's default index, in the order of the text. Neighbours may overlap. Tools with another `chunk_size` split the text differently. Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdDocumentsByDocumentChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents/{document}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the text of a document, or a part of it
         * @description The parsed text. The `start` and `end` of search results and citations are positions in it. Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdDocumentsByDocumentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents/{document}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a document
         * @description The file as it was uploaded, or the content of a text. Pages of `web` sources and files of `directory` sources are not stored. Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdDocumentsByDocumentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/documents/{document}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a document again
         * @description Even if it has not changed, such as one that failed. Starts a sync of its source, or joins one that runs; the other documents are only checked for changes. Permission: `write-configuration`.
         */
        post: operations["postKnowledgeSourcesByIdDocumentsByDocumentSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync a source
         * @description Reads new and changed documents and removes deleted ones. The record shows the progress. If a change of the source has already started a sync, the response is the record of that sync. Permission: `write-configuration`.
         */
        post: operations["postKnowledgeSourcesByIdSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the syncs of a source
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/knowledge-sources/{id}/syncs/{sync}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sync
         * @description Permission: `read-configuration`.
         */
        get: operations["getKnowledgeSourcesByIdSyncsBySync"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an MCP message (streamable HTTP)
         * @description One JSON-RPC message per request, without sessions. The response to a request is `text/event-stream` with one JSON-RPC response; to a notification it is 202. Tools: `ask_…` for each agent, and the RAG, retrieval and API tools. A failed tool call is reported in its result (`isError`). Permission: `read-agents`.
         */
        post: operations["postMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller of this token
         * @description Permission: `see-status`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description They are about the whole process and all its workspaces. Permission: `manage-workspaces`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Permission: `read-configuration`.
         */
        get: operations["getModels"];
        put?: never;
        /**
         * Create a model
         * @description Permission: `administer`.
         */
        post: operations["postModels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description Permission: `read-configuration`.
         */
        get: operations["getModelsById"];
        /**
         * Update a model
         * @description Permission: `administer`.
         */
        put: operations["putModelsById"];
        post?: never;
        /**
         * Delete a model
         * @description Permission: `administer`.
         */
        delete: operations["deleteModelsById"];
        options?: never;
        head?: never;
        /**
         * Update a model (the same as PUT)
         * @description Permission: `administer`.
         */
        patch: operations["patchModelsById"];
        trace?: never;
    };
    "/api/models/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a model
         * @description Sends the provider the smallest possible request, which is billed like any other. If it fails, `error` says why. Permission: `write-configuration`.
         */
        post: operations["postModelsByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the models of a provider
         * @description Asks the provider which models the key can use. Nothing is stored. Prices and context windows are those that the provider reports, or else those known for well-known models: check them before you rely on them. Permission: `administer`.
         */
        post: operations["postModelsAvailable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openai/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion with an agent
         * @description The agent uses its own instructions, tools and model. The conversation is in `messages` and is not stored. Functions in `tools` are offered to the model beside those of the agent: calls of them come back as `tool_calls`, and the next request continues with their results. Parameters that cannot be followed are rejected by name. With `stream: true` the response is a stream of `chat.completion.chunk`. Permission: `converse`.
         */
        post: operations["postOpenaiV1ChatCompletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openai/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings
         * @description Permission: `write-configuration`.
         */
        post: operations["postOpenaiV1Embeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents as models
         * @description Permission: `read-agents`.
         */
        get: operations["getOpenaiV1Models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openai/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent as a model
         * @description Permission: `read-agents`.
         */
        get: operations["getOpenaiV1ModelsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description It needs no token. Generate a client from it, or import it into an API tool.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prompt templates
         * @description Permission: `read-configuration`.
         */
        get: operations["getPromptTemplates"];
        put?: never;
        /**
         * Create a prompt template
         * @description Permission: `write-configuration`.
         */
        post: operations["postPromptTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a prompt template
         * @description Permission: `read-configuration`.
         */
        get: operations["getPromptTemplatesById"];
        /**
         * Update a prompt template
         * @description Permission: `write-configuration`.
         */
        put: operations["putPromptTemplatesById"];
        post?: never;
        /**
         * Delete a prompt template
         * @description Permission: `write-configuration`.
         */
        delete: operations["deletePromptTemplatesById"];
        options?: never;
        head?: never;
        /**
         * Update a prompt template (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchPromptTemplatesById"];
        trace?: never;
    };
    "/api/prompt-templates/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a prompt template
         * @description Permission: `write-configuration`.
         */
        post: operations["postPromptTemplatesByIdRender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt-templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a prompt template
         * @description Permission: `read-configuration`.
         */
        get: operations["getPromptTemplatesByIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt-templates/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a prompt template
         * @description Permission: `read-configuration`.
         */
        get: operations["getPromptTemplatesByIdVersionsByVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt-templates/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a prompt template
         * @description Creates a new version with the fields of the old one. Permission: `write-configuration`.
         */
        post: operations["postPromptTemplatesByIdVersionsByVersionRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rag-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List RAG tools
         * @description Permission: `read-configuration`.
         */
        get: operations["getRagTools"];
        put?: never;
        /**
         * Create a RAG tool
         * @description Permission: `write-configuration`.
         */
        post: operations["postRagTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rag-tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a RAG tool
         * @description Permission: `read-configuration`.
         */
        get: operations["getRagToolsById"];
        /**
         * Update a RAG tool
         * @description Permission: `write-configuration`.
         */
        put: operations["putRagToolsById"];
        post?: never;
        /**
         * Delete a RAG tool
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteRagToolsById"];
        options?: never;
        head?: never;
        /**
         * Update a RAG tool (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchRagToolsById"];
        trace?: never;
    };
    "/api/rag-tools/{id}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query a RAG tool
         * @description Finds passages and answers from them. Every `[n]` in the answer has a citation with a literal quote from the result. Permission: `write-configuration`.
         */
        post: operations["postRagToolsByIdQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retrieval-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List retrieval tools
         * @description Permission: `read-configuration`.
         */
        get: operations["getRetrievalTools"];
        put?: never;
        /**
         * Create a retrieval tool
         * @description Permission: `write-configuration`.
         */
        post: operations["postRetrievalTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retrieval-tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a retrieval tool
         * @description Permission: `read-configuration`.
         */
        get: operations["getRetrievalToolsById"];
        /**
         * Update a retrieval tool
         * @description Permission: `write-configuration`.
         */
        put: operations["putRetrievalToolsById"];
        post?: never;
        /**
         * Delete a retrieval tool
         * @description Permission: `write-configuration`.
         */
        delete: operations["deleteRetrievalToolsById"];
        options?: never;
        head?: never;
        /**
         * Update a retrieval tool (the same as PUT)
         * @description Permission: `write-configuration`.
         */
        patch: operations["patchRetrievalToolsById"];
        trace?: never;
    };
    "/api/retrieval-tools/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search with a retrieval tool
         * @description Permission: `write-configuration`.
         */
        post: operations["postRetrievalToolsByIdSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find anything by name, and conversations by what was said
         * @description Only what your role may read. To search the content of documents, query a tool. Permission: `see-status`.
         */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the service
         * @description Permission: `see-status`.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description Permission: `read-configuration`.
         */
        get: operations["getTokens"];
        put?: never;
        /**
         * Create a token
         * @description Permission: `administer`.
         */
        post: operations["postTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token
         * @description Permission: `read-configuration`.
         */
        get: operations["getTokensById"];
        put?: never;
        post?: never;
        /**
         * Delete a token
         * @description Permission: `administer`.
         */
        delete: operations["deleteTokensById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cost in total, by model, by what caused it and by day
         * @description Permission: `read-configuration`.
         */
        get: operations["getUsageCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens and cost by model and by what used them
         * @description Permission: `read-configuration`.
         */
        get: operations["getUsageStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage thresholds
         * @description Permission: `read-configuration`.
         */
        get: operations["getUsageThresholds"];
        put?: never;
        /**
         * Create an usage threshold
         * @description Permission: `administer`.
         */
        post: operations["postUsageThresholds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/thresholds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an usage threshold
         * @description Permission: `read-configuration`.
         */
        get: operations["getUsageThresholdsById"];
        /**
         * Update an usage threshold
         * @description Permission: `administer`.
         */
        put: operations["putUsageThresholdsById"];
        post?: never;
        /**
         * Delete an usage threshold
         * @description Permission: `administer`.
         */
        delete: operations["deleteUsageThresholdsById"];
        options?: never;
        head?: never;
        /**
         * Update an usage threshold (the same as PUT)
         * @description Permission: `administer`.
         */
        patch: operations["patchUsageThresholdsById"];
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Permission: `read-configuration`.
         */
        get: operations["getWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Permission: `administer`.
         */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Permission: `read-configuration`.
         */
        get: operations["getWebhooksById"];
        /**
         * Update a webhook
         * @description Permission: `administer`.
         */
        put: operations["putWebhooksById"];
        post?: never;
        /**
         * Delete a webhook
         * @description Permission: `administer`.
         */
        delete: operations["deleteWebhooksById"];
        options?: never;
        head?: never;
        /**
         * Update a webhook (the same as PUT)
         * @description Permission: `administer`.
         */
        patch: operations["patchWebhooksById"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Permission: `read-configuration`.
         */
        get: operations["getWebhooksByIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends it immediately with the same `webhook-id`, then retries on the usual schedule. Permission: `administer`.
         */
        post: operations["postWebhooksByIdDeliveriesByDeliveryRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Only this response contains the new secret. Deliveries are also signed with the old one for 24 hours. Permission: `administer`.
         */
        post: operations["postWebhooksByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends `webhook.test` immediately, whatever events the webhook has, and returns the delivery. Permission: `administer`.
         */
        post: operations["postWebhooksByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description Permission: `manage-workspaces`.
         */
        get: operations["getWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Permission: `manage-workspaces`.
         */
        post: operations["postWorkspaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workspace
         * @description Permission: `manage-workspaces`.
         */
        get: operations["getWorkspacesById"];
        put?: never;
        post?: never;
        /**
         * Delete a workspace
         * @description Permission: `manage-workspaces`.
         */
        delete: operations["deleteWorkspacesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "conversation.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conversation was completed */
        post: operations["onConversationCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "evaluation.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An evaluation run finished */
        post: operations["onEvaluationFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "knowledge_source.synced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A knowledge source was synced, or its sync failed */
        post: operations["onKnowledge_sourceSynced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.threshold_exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A usage threshold was exceeded */
        post: operations["onUsageThreshold_exceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook was tested */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** AcceptMcpServerTools */
        AcceptMcpServerTools: {
            /** @description The `version` that was reviewed. */
            version: string;
        };
        /** AddedTestCase */
        AddedTestCase: {
            /** @description Its index in `test_cases`. */
            case: number;
            /** @description Most scorers compare the answer with it. */
            expected_output?: string | null;
            /** @description The input of the target. */
            input: string;
            /** @description Your own data. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            test_case_count: number;
        };
        /** Agent */
        Agent: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /**
             * @description Models to try in this order if the first one fails.
             * @default []
             */
            fallback_model_ids: string[];
            /** @example agt_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * @description How many times it may call tools in one turn.
             * @default 8
             */
            max_steps: number;
            /** @description The maximum length of a reply. */
            max_tokens: number | null;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata: {
                [key: string]: string;
            };
            /** @description A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace. */
            model_id: string | null;
            name: string;
            /** @description Whether it may call several tools at once. */
            parallel_tool_calls: boolean | null;
            /** @description Instead of `system_prompt`. */
            prompt_template_id: string | null;
            /** @description The values for the template's variables. A conversation can replace them with its own `variables`. Not shown to the role `user`. */
            prompt_variables?: {
                [key: string]: string;
            };
            /**
             * @description How long a reasoning model thinks.
             * @enum {string|null}
             */
            reasoning_effort: "low" | "medium" | "high" | null;
            /** @description The same seed makes replies repeatable, as far as the provider can. */
            seed: number | null;
            /**
             * @default active
             * @enum {string}
             */
            status: "active" | "archived";
            /**
             * @description A text, or up to four of them, before which the reply ends.
             * @example [
             *       "END"
             *     ]
             */
            stop: string[] | string | null;
            /** @description Not shown to the role `user`. */
            system_prompt?: string | null;
            temperature: number | null;
            /** @description `auto`, `none`, `required` or the id of one of its `tools`. A forced call is the first step of a reply; after it the model decides. */
            tool_choice: string | null;
            /**
             * @description Ids of RAG, retrieval and API tools.
             * @default []
             */
            tools: string[];
            /** @description Chooses only among the likeliest words, whose probabilities add up to this. */
            top_p: number | null;
            /**
             * @description The topics it covers.
             * @default []
             */
            topics: string[];
            /**
             * @description A label of your own.
             * @default conversational
             */
            type: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            readonly version: number;
            /** @example [] */
            readonly warnings: components["schemas"]["AgentWarning"][];
        };
        /** AgentChanges */
        AgentChanges: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /**
             * @description Models to try in this order if the first one fails.
             * @default []
             */
            fallback_model_ids?: string[];
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description How many times it may call tools in one turn.
             * @default 8
             */
            max_steps?: number;
            /** @description The maximum length of a reply. */
            max_tokens?: number | null;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace. */
            model_id?: string | null;
            name?: string;
            /** @description Whether it may call several tools at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Instead of `system_prompt`. */
            prompt_template_id?: string | null;
            /**
             * @description The values for the template's variables. A conversation can replace them with its own `variables`. Not shown to the role `user`.
             * @default {}
             */
            prompt_variables?: {
                [key: string]: string;
            };
            /**
             * @description How long a reasoning model thinks.
             * @enum {string|null}
             */
            reasoning_effort?: "low" | "medium" | "high" | null;
            /** @description The same seed makes replies repeatable, as far as the provider can. */
            seed?: number | null;
            /**
             * @default active
             * @enum {string}
             */
            status?: "active" | "archived";
            /**
             * @description A text, or up to four of them, before which the reply ends.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[] | string | null;
            /** @description Not shown to the role `user`. */
            system_prompt?: string | null;
            temperature?: number | null;
            /** @description `auto`, `none`, `required` or the id of one of its `tools`. A forced call is the first step of a reply; after it the model decides. */
            tool_choice?: string | null;
            /**
             * @description Ids of RAG, retrieval and API tools.
             * @default []
             */
            tools?: string[];
            /** @description Chooses only among the likeliest words, whose probabilities add up to this. */
            top_p?: number | null;
            /**
             * @description The topics it covers.
             * @default []
             */
            topics?: string[];
            /**
             * @description A label of your own.
             * @default conversational
             */
            type?: string;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Ignored. */
            readonly version?: unknown;
            /** @description Ignored. */
            readonly warnings?: unknown;
        };
        /** AgentListItem */
        AgentListItem: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example agt_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @description A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace. */
            model_id: string | null;
            name: string;
            temperature: number | null;
            /**
             * @description Ids of RAG, retrieval and API tools.
             * @default []
             */
            tools: string[];
        };
        /** AgentWarning */
        AgentWarning: {
            /**
             * @description The type of risk.
             * @enum {string}
             */
            code: "data_can_leak";
            /** @description The risk, and how to avoid it. */
            message: string;
            /** @description The tools that cause it together. */
            tools: string[];
        };
        /** ApiOperation */
        ApiOperation: {
            /** @description The type of its authentication. */
            auth: string;
            description: string;
            /** @description The name of the tool. */
            name: string;
            /** @description What could not be imported exactly. */
            notes: string[];
            /** @example GET /weather/{city} */
            operation: string;
            operation_id: string | null;
            /** @description Whether a person must approve each call. */
            requires_approval: boolean;
            /** @description The existing tool. */
            tool_id: string | null;
        };
        /** ApiTool */
        ApiTool: {
            /**
             * @description The credentials of calls. A change of scheme, host or port requires the secret again: it is never sent to a new address.
             * @default {
             *       "type": "none"
             *     }
             */
            auth: {
                /** @description Further credentials that are sent with each call, for APIs that require several at once. */
                additional?: {
                    /** @description For `oauth2_client_credentials`. The client id. */
                    client_id?: string;
                    /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    client_secret?: string | null;
                    /** @description Whether `client_secret` is set. */
                    readonly client_secret_set?: boolean;
                    /**
                     * @description For `api_key`. Where it is sent. Default: `header`.
                     * @enum {string}
                     */
                    in?: "header" | "query";
                    /** @description An alias of `value`. */
                    key?: string | null;
                    /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                    name?: string;
                    /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    password?: string | null;
                    /** @description Whether `password` is set. */
                    readonly password_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                    scope?: string;
                    /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    token?: string | null;
                    /** @description Whether `token` is set. */
                    readonly token_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The token endpoint. */
                    token_url?: string;
                    /** @enum {string} */
                    type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                    /** @description For `basic`. The user name. */
                    username?: string;
                    /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    value?: string | null;
                    /** @description Whether `value` is set. */
                    readonly value_set?: boolean;
                }[];
                /** @description For `oauth2_client_credentials`. The client id. */
                client_id?: string;
                /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                client_secret?: string | null;
                /** @description Whether `client_secret` is set. */
                readonly client_secret_set?: boolean;
                /**
                 * @description For `api_key`. Where it is sent. Default: `header`.
                 * @enum {string}
                 */
                in?: "header" | "query";
                /** @description An alias of `value`. */
                key?: string | null;
                /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                name?: string;
                /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                password?: string | null;
                /** @description Whether `password` is set. */
                readonly password_set?: boolean;
                /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                scope?: string;
                /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                token?: string | null;
                /** @description Whether `token` is set. */
                readonly token_set?: boolean;
                /** @description For `oauth2_client_credentials`. The token endpoint. */
                token_url?: string;
                /** @enum {string} */
                type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                /** @description For `basic`. The user name. */
                username?: string;
                /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                value?: string | null;
                /** @description Whether `value` is set. */
                readonly value_set?: boolean;
            };
            /** @description A template: `"{param}"` becomes the value with its type. Default: all arguments that are not used elsewhere are the JSON body, or the query if the method has no body. */
            body: {
                [key: string]: unknown;
            } | unknown[] | string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description Tells the model what the tool does and when to use it. */
            description: string;
            /**
             * @description Templates with `{param}`. Secrets belong in `auth`.
             * @default {}
             */
            headers: {
                [key: string]: string;
            };
            /** @example api_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @default 1048576 */
            max_response_bytes: number;
            /**
             * @default GET
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
            /**
             * @description The name for the model: letters, digits, `_` and `-`. Unique in the workspace.
             * @example get_weather
             */
            name: string;
            /** @description JSON Schema (2020-12) of the arguments. Default: a required string for each `{param}`. Only declared arguments are sent: `additionalProperties` is false by default, and other arguments are dropped. */
            parameters: {
                [key: string]: unknown;
            };
            /**
             * @description Templates with `{param}`. A list is sent as a repeated parameter, or joined with `{param:csv}`, `{param:ssv}` or `{param:pipes}`; `{param:json}` sends JSON. Parameters without a value are omitted.
             * @default {}
             */
            query: {
                [key: string]: (string | number | boolean) | (string | number | boolean)[];
            };
            /**
             * @description A person must approve each call.
             * @default false
             */
            requires_approval: boolean;
            /** @description A JMESPath expression that selects a part of the response. */
            response_path: string | null;
            /** @description The document and operation it was imported from. */
            readonly source: {
                document?: string;
                operation?: string;
            } | null;
            /** @default 10000 */
            timeout_ms: number;
            /** @description For MCP servers: the tools that agents may use, each with its own approval. Default: all. */
            tools: {
                /** @description The server's name for the tool. */
                name: string;
                /** @description Default: the `requires_approval` of the server. */
                requires_approval?: boolean;
            }[] | null;
            /**
             * @description `http`: one call of an HTTP API. `mcp`: every tool of an MCP server (streamable HTTP) at `url`.
             * @default http
             * @enum {string}
             */
            type: "http" | "mcp";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /**
             * @description May contain `{param}` in its path and query. Values are encoded.
             * @example https://api.example.com/weather/{city}
             */
            url: string;
        };
        /** ApiToolCall */
        ApiToolCall: {
            /**
             * @description As the model would write them.
             * @default {}
             */
            arguments?: {
                [key: string]: unknown;
            };
            /** @description For MCP servers: the tool to call. Default: list the tools. */
            tool?: string | null;
        };
        /** ApiToolChanges */
        ApiToolChanges: {
            /**
             * @description The credentials of calls. A change of scheme, host or port requires the secret again: it is never sent to a new address.
             * @default {
             *       "type": "none"
             *     }
             */
            auth?: {
                /** @description Further credentials that are sent with each call, for APIs that require several at once. */
                additional?: {
                    /** @description For `oauth2_client_credentials`. The client id. */
                    client_id?: string;
                    /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    client_secret?: string | null;
                    /** @description Whether `client_secret` is set. */
                    readonly client_secret_set?: boolean;
                    /**
                     * @description For `api_key`. Where it is sent. Default: `header`.
                     * @enum {string}
                     */
                    in?: "header" | "query";
                    /** @description An alias of `value`. */
                    key?: string | null;
                    /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                    name?: string;
                    /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    password?: string | null;
                    /** @description Whether `password` is set. */
                    readonly password_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                    scope?: string;
                    /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    token?: string | null;
                    /** @description Whether `token` is set. */
                    readonly token_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The token endpoint. */
                    token_url?: string;
                    /** @enum {string} */
                    type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                    /** @description For `basic`. The user name. */
                    username?: string;
                    /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    value?: string | null;
                    /** @description Whether `value` is set. */
                    readonly value_set?: boolean;
                }[];
                /** @description For `oauth2_client_credentials`. The client id. */
                client_id?: string;
                /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                client_secret?: string | null;
                /** @description Whether `client_secret` is set. */
                readonly client_secret_set?: boolean;
                /**
                 * @description For `api_key`. Where it is sent. Default: `header`.
                 * @enum {string}
                 */
                in?: "header" | "query";
                /** @description An alias of `value`. */
                key?: string | null;
                /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                name?: string;
                /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                password?: string | null;
                /** @description Whether `password` is set. */
                readonly password_set?: boolean;
                /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                scope?: string;
                /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                token?: string | null;
                /** @description Whether `token` is set. */
                readonly token_set?: boolean;
                /** @description For `oauth2_client_credentials`. The token endpoint. */
                token_url?: string;
                /** @enum {string} */
                type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                /** @description For `basic`. The user name. */
                username?: string;
                /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                value?: string | null;
                /** @description Whether `value` is set. */
                readonly value_set?: boolean;
            };
            /** @description A template: `"{param}"` becomes the value with its type. Default: all arguments that are not used elsewhere are the JSON body, or the query if the method has no body. */
            body?: {
                [key: string]: unknown;
            } | unknown[] | string | null;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description Tells the model what the tool does and when to use it. */
            description?: string;
            /**
             * @description Templates with `{param}`. Secrets belong in `auth`.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @default 1048576 */
            max_response_bytes?: number;
            /**
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
            /**
             * @description The name for the model: letters, digits, `_` and `-`. Unique in the workspace.
             * @example get_weather
             */
            name?: string;
            /** @description JSON Schema (2020-12) of the arguments. Default: a required string for each `{param}`. Only declared arguments are sent: `additionalProperties` is false by default, and other arguments are dropped. */
            parameters?: {
                [key: string]: unknown;
            };
            /**
             * @description Templates with `{param}`. A list is sent as a repeated parameter, or joined with `{param:csv}`, `{param:ssv}` or `{param:pipes}`; `{param:json}` sends JSON. Parameters without a value are omitted.
             * @default {}
             */
            query?: {
                [key: string]: (string | number | boolean) | (string | number | boolean)[];
            };
            /**
             * @description A person must approve each call.
             * @default false
             */
            requires_approval?: boolean;
            /** @description A JMESPath expression that selects a part of the response. */
            response_path?: string | null;
            /** @description Ignored. */
            readonly source?: unknown;
            /** @default 10000 */
            timeout_ms?: number;
            /** @description For MCP servers: the tools that agents may use, each with its own approval. Default: all. */
            tools?: {
                /** @description The server's name for the tool. */
                name: string;
                /** @description Default: the `requires_approval` of the server. */
                requires_approval?: boolean;
            }[] | null;
            /**
             * @description `http`: one call of an HTTP API. `mcp`: every tool of an MCP server (streamable HTTP) at `url`.
             * @default http
             * @enum {string}
             */
            type?: "http" | "mcp";
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /**
             * @description May contain `{param}` in its path and query. Values are encoded.
             * @example https://api.example.com/weather/{city}
             */
            url?: string;
        };
        /** ApiToolImport */
        ApiToolImport: {
            /** @description For all operations, instead of the document’s. */
            auth?: {
                /** @description Further credentials that are sent with each call, for APIs that require several at once. */
                additional?: {
                    /** @description For `oauth2_client_credentials`. The client id. */
                    client_id?: string;
                    /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    client_secret?: string | null;
                    /** @description Whether `client_secret` is set. */
                    readonly client_secret_set?: boolean;
                    /**
                     * @description For `api_key`. Where it is sent. Default: `header`.
                     * @enum {string}
                     */
                    in?: "header" | "query";
                    /** @description An alias of `value`. */
                    key?: string | null;
                    /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                    name?: string;
                    /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    password?: string | null;
                    /** @description Whether `password` is set. */
                    readonly password_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                    scope?: string;
                    /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    token?: string | null;
                    /** @description Whether `token` is set. */
                    readonly token_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The token endpoint. */
                    token_url?: string;
                    /** @enum {string} */
                    type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                    /** @description For `basic`. The user name. */
                    username?: string;
                    /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    value?: string | null;
                    /** @description Whether `value` is set. */
                    readonly value_set?: boolean;
                }[];
                /** @description For `oauth2_client_credentials`. The client id. */
                client_id?: string;
                /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                client_secret?: string | null;
                /** @description Whether `client_secret` is set. */
                readonly client_secret_set?: boolean;
                /**
                 * @description For `api_key`. Where it is sent. Default: `header`.
                 * @enum {string}
                 */
                in?: "header" | "query";
                /** @description An alias of `value`. */
                key?: string | null;
                /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                name?: string;
                /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                password?: string | null;
                /** @description Whether `password` is set. */
                readonly password_set?: boolean;
                /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                scope?: string;
                /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                token?: string | null;
                /** @description Whether `token` is set. */
                readonly token_set?: boolean;
                /** @description For `oauth2_client_credentials`. The token endpoint. */
                token_url?: string;
                /** @enum {string} */
                type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                /** @description For `basic`. The user name. */
                username?: string;
                /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                value?: string | null;
                /** @description Whether `value` is set. */
                readonly value_set?: boolean;
            };
            /** @description The base URL of the API, instead of its `servers`. */
            base_url?: string;
            /** @description Other documents that the first refers to (`$ref: "schemas/pet.yaml"`), by path relative to it or by URL. Without `spec` and `url`, the one that is an OpenAPI document is imported. */
            documents?: {
                [key: string]: Record<string, never> | unknown[] | string;
            };
            /**
             * @description Only returns what would be imported.
             * @default false
             */
            dry_run?: boolean;
            /** @description Operation ids, or as in `GET /pets/{id}`. At most 5000. Default: all. */
            operations?: string[];
            /** @description Whether a person must approve each call. Default: for operations that write (all but GET, HEAD and OPTIONS); tools of an earlier import keep their setting. */
            requires_approval?: boolean;
            /** @description An OpenAPI 3.x or Swagger 2.0 document: an object, or its JSON or YAML text. */
            spec?: Record<string, never> | string;
            /** @description The URL of the document. */
            url?: string;
        };
        /** ApiToolImportResult */
        ApiToolImportResult: {
            created: components["schemas"]["ApiTool"][];
            /** @description All chosen operations that can become tools. */
            operations: components["schemas"]["ApiOperation"][];
            /** @description Secrets that must be set with PUT before the tools can be called. */
            secrets_needed: {
                auth: string;
                /** @example auth.token */
                secret: string;
                tool_ids: string[];
            }[];
            skipped: {
                operation: string;
                reason: string;
            }[];
            updated: components["schemas"]["ApiTool"][];
        };
        /** ApiToolTest */
        ApiToolTest: {
            /** @description The content for the model: JSON or text. */
            body: unknown;
            /** @description Arguments that were not sent, because `parameters` does not declare them. */
            dropped_arguments?: string[];
            error?: string;
            headers: {
                [key: string]: string;
            };
            latency_ms: number;
            ok: boolean;
            request: {
                headers: {
                    [key: string]: string;
                };
                method: string;
                url: string;
            };
            /** @description The status of the response, or null if there was none. */
            status: number | null;
        };
        /** Attachment */
        Attachment: {
            /** @example fil_01k9z8q4m6e3v7t2w5x8y1a4bc */
            file_id: string;
            /**
             * @description Found in the content.
             * @example application/pdf
             */
            media_type: string;
            /** @example invoice.pdf */
            name: string;
            /**
             * @description Bytes.
             * @example 48213
             */
            size: number;
        };
        /** AuditEntry */
        AuditEntry: {
            /** @description `create`, `update`, `delete`, `restore`, or the action of a route, such as `sync`. */
            action: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description The names of the changed fields, without values. */
            fields: string[];
            /** @example aud_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @example agent */
            kind: string;
            request_id: string;
            resource_id: string | null;
            /** @enum {string} */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            /** @description The token that made the change, or the subject of a JWT. */
            token_id: string;
            token_name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            user_id: string | null;
        };
        /** AvailableModel */
        AvailableModel: {
            /** @example 128000 */
            context_window: number | null;
            /** @example gpt-4o-mini */
            model_id: string;
            pricing: {
                /** @description US dollars per 1,000 input tokens that the provider had cached. */
                cached_input?: number;
                /** @description Alias of `cached_input`; reads always show `cached_input`. */
                cached_input_per_1k?: number;
                /** @description US dollars per 1,000 input tokens. Required. */
                input?: number;
                /** @description Alias of `input`; reads always show `input`. */
                input_per_1k?: number;
                /** @description US dollars per 1,000 output tokens. Required for chat models. */
                output?: number;
                /** @description Alias of `output`; reads always show `output`. */
                output_per_1k?: number;
            } | null;
            /** @enum {string} */
            type: "chat" | "embedding" | "rerank";
        };
        /** AvailableModels */
        AvailableModels: {
            /** @description Why there is no list. */
            error: string | null;
            models: components["schemas"]["AvailableModel"][];
            /**
             * @description `refused`: the provider does not accept the key. `unavailable`: it gave no list.
             * @enum {string}
             */
            status: "listed" | "refused" | "unavailable";
        };
        /** AvailableModelsQuery */
        AvailableModelsQuery: {
            /** @description Kept encrypted, never read back. */
            api_key?: string | null;
            /** @description URL of the provider. Changing it requires sending `api_key` again. */
            endpoint?: string | null;
            /** @description The id of a model whose key is used if none is given. */
            model?: string;
            /** @description One of openai, mistral, groq, deepseek, openrouter, together, fireworks, xai, ollama, openai-compatible, anthropic, google, cohere, local; any other name needs an `endpoint` with the OpenAI API. */
            provider: string;
        };
        /**
         * BrowserSession
         * @description Null if the request has a bearer token.
         */
        BrowserSession: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            expires_at: string;
            remember: boolean;
        };
        /** ChatAnnotation */
        ChatAnnotation: {
            /** @enum {string} */
            type: "url_citation";
            url_citation: {
                document_id: string;
                /** @description Where it ends. */
                end_index: number;
                /** @description The n of `[n]`. */
                index: number;
                page: number;
                /** @description The words that the statement rests on. */
                quote: string;
                /** @description Where the `[n]` starts in the content. */
                start_index: number;
                /** @description The name of the document. */
                title: string;
                /** @description The web page, or the document in the console. */
                url: string;
            };
        };
        /** ChatCompletion */
        ChatCompletion: {
            choices: {
                finish_reason: string;
                index: number;
                logprobs: Record<string, never> | null;
                message: {
                    /** @description The citations of the content. */
                    annotations: components["schemas"]["ChatAnnotation"][];
                    /** @description Null if the model only calls tools. */
                    content: string | null;
                    refusal: string | null;
                    /** @enum {string} */
                    role: "assistant";
                    tool_calls?: {
                        function: {
                            arguments: string;
                            name: string;
                        };
                        id: string;
                        /** @enum {string} */
                        type: "function";
                    }[];
                };
            }[];
            created: number;
            id: string;
            model: string;
            /** @enum {string} */
            object: "chat.completion";
            usage: {
                completion_tokens: number;
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        /**
         * ChatCompletionChunk
         * @description The `data` of one Server-Sent Event. The last event is `data: [DONE]`.
         */
        ChatCompletionChunk: {
            choices: {
                delta: {
                    /** @description The citations, after the content. */
                    annotations?: components["schemas"]["ChatAnnotation"][];
                    content?: string | null;
                    /** @enum {string} */
                    role?: "assistant";
                    tool_calls?: {
                        function: {
                            arguments: string;
                            name?: string;
                        };
                        id?: string;
                        index: number;
                        /** @enum {string} */
                        type?: "function";
                    }[];
                };
                finish_reason: string | null;
                index: number;
                logprobs: Record<string, never> | null;
            }[];
            created: number;
            id: string;
            model: string;
            /** @enum {string} */
            object: "chat.completion.chunk";
            usage?: {
                completion_tokens: number;
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        /** ChatCompletionRequest */
        ChatCompletionRequest: {
            /** @description Not supported: 400. */
            audio?: unknown;
            /** @description Only `0`. */
            frequency_penalty?: unknown;
            /** @description Only `"none"` or `"auto"`. */
            function_call?: unknown;
            /** @description Only `[]`. */
            functions?: unknown;
            /** @description Only `{}`. */
            logit_bias?: unknown;
            /** @description Only `false`. */
            logprobs?: unknown;
            /** @description The agent's `max_tokens` applies if it is lower. */
            max_completion_tokens?: number | null;
            /** @description The agent's `max_tokens` applies if it is lower. */
            max_tokens?: number | null;
            /** @description The conversation. With a token of role `user`, every message is passed to the model as user content; `editor` and above may send `system`, `developer` and `assistant` messages of their own. */
            messages: {
                content?: string | {
                    refusal?: string;
                    text?: string;
                    type: string;
                }[] | null;
                function_call?: {
                    arguments: string;
                    name: string;
                } | null;
                /** @description The function that a message of role `function` comes from. */
                name?: string;
                refusal?: string | null;
                /** @enum {string} */
                role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                tool_call_id?: string;
                /** @description Calls of tools that are not in `tools` are passed to the model as text. */
                tool_calls?: {
                    custom?: {
                        input: string;
                        name: string;
                    };
                    function?: {
                        arguments: string;
                        name: string;
                    };
                    id?: string;
                }[] | null;
            }[];
            /** @description Labels. It does not change the answer. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Only `["text"]`. */
            modalities?: unknown;
            /** @description An agent's id, or its name if it is unique. */
            model: string;
            /** @description Only `1`. */
            n?: unknown;
            /** @description Instead of the agent's `parallel_tool_calls`. */
            parallel_tool_calls?: boolean | null;
            /** @description Not supported: 400. */
            prediction?: unknown;
            /** @description Only `0`. */
            presence_penalty?: unknown;
            /** @description A hint for caches. It does not change the answer. */
            prompt_cache_key?: string | null;
            /** @description A hint for caches. It does not change the answer. */
            prompt_cache_retention?: string | null;
            /**
             * @description The agent's `reasoning_effort` applies if it is lower.
             * @enum {string|null}
             */
            reasoning_effort?: "low" | "medium" | "high" | null;
            /** @description Only `{"type":"text"}`. */
            response_format?: unknown;
            /** @description Used if `user` is missing. */
            safety_identifier?: string | null;
            /** @description Instead of the agent's `seed`. */
            seed?: number | null;
            /** @description Only `"auto"` or `"default"`. */
            service_tier?: unknown;
            /**
             * @description Instead of the agent's `stop`.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[] | string | null;
            /** @description Only `false`. */
            store?: unknown;
            stream?: boolean | null;
            stream_options?: {
                include_usage?: boolean;
            } | null;
            /** @description The agent's `temperature` applies if it is lower. */
            temperature?: number | null;
            /** @description A function may be one of the client's or one of the agent's tools, by its name. */
            tool_choice?: ("auto" | "none" | "required") | {
                function: {
                    name: string;
                };
                /** @enum {string} */
                type: "function";
            } | {
                allowed_tools: {
                    /** @enum {string} */
                    mode: "auto" | "required";
                    tools: {
                        function: {
                            name: string;
                        };
                        /** @enum {string} */
                        type: "function";
                    }[];
                };
                /** @enum {string} */
                type: "allowed_tools";
            };
            /** @description Functions that the client runs, beside the agent's own tools. Calls of them come back as `tool_calls`; send their results as messages of role `tool`. */
            tools?: {
                function: {
                    description?: string | null;
                    /** @example weather */
                    name: string;
                    /** @description JSON Schema of the arguments. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean | null;
                };
                /**
                 * @description Only functions are supported.
                 * @enum {string}
                 */
                type: "function";
            }[] | null;
            /** @description Only `0`. */
            top_logprobs?: unknown;
            /** @description The agent's `top_p` applies if it is lower. */
            top_p?: number | null;
            user?: string | null;
            /** @description Only `"medium"`. */
            verbosity?: unknown;
            /** @description Not supported: 400. */
            web_search_options?: unknown;
        };
        /** Citation */
        Citation: {
            chunk_id: string;
            document_id: string;
            end: number;
            /** @description The n of [n] in the text. */
            index: number;
            page: number;
            quote: string;
            source: string;
            start: number;
            tool_call_id: string;
        };
        /** Component */
        Component: {
            engine: string;
            /** @description Of a small request to it; null if it does not respond. */
            latency_ms: number | null;
            /** @enum {string} */
            status: "operational" | "degraded";
        };
        /** Conversation */
        Conversation: {
            /** @description The agent of the conversation. It cannot be changed. */
            agent_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description The evaluation that started it, if any. */
            readonly evaluation_id: string | null;
            /** @example cnv_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.
             * @default false
             */
            shared: boolean;
            /**
             * @description Set it to `completed` to complete the conversation. It cannot be reopened.
             * @default active
             * @enum {string}
             */
            status: "active" | "completed";
            /** @description Defaults to the beginning of the first message. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The user. For a token of role `user` it is always its own. */
            user_id: string | null;
            /**
             * @description Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.
             * @default {}
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** ConversationAnalytics */
        ConversationAnalytics: {
            /** @description Sorted by messages, highest first. */
            by_agent: {
                agent_id: string;
                conversations: number;
                /** @description US dollars. */
                cost: number;
                errors: {
                    /** @description Share of all replies, 0 to 1. */
                    rate: number;
                    total: number;
                };
                feedback: {
                    down: number;
                    /** @description Share of `up` in all feedback, 0 to 1; null without feedback. */
                    satisfaction_rate: number | null;
                    up: number;
                };
                messages: number;
                /** @description Null if it was deleted. */
                name: string | null;
                tokens: {
                    input: number;
                    output: number;
                };
            }[];
            /** @description Each question counts for the nearest of its agent's topics. Sorted by questions, highest first. */
            by_topic: {
                conversations: number;
                /** @description Questions. */
                messages: number;
                topic: string;
            }[];
            /** @description Conversations started in the period, by their current status. */
            conversations: {
                active: number;
                completed: number;
                total: number;
            };
            /** @description US dollars. */
            cost: number;
            /** @description Replies that failed or were interrupted. */
            errors: {
                /** @description Share of all replies, 0 to 1. */
                rate: number;
                total: number;
            };
            feedback: {
                down: number;
                /** @description Share of `up` in all feedback, 0 to 1; null without feedback. */
                satisfaction_rate: number | null;
                up: number;
            };
            /** @description Of the completed replies, exact (nearest rank). */
            latency_ms: {
                p50: number | null;
                p95: number | null;
                p99: number | null;
            };
            messages: {
                assistant: number;
                /** @description Over conversations with at least one question. */
                average_per_conversation: number;
                total: number;
                user: number;
            };
            period: {
                /** Format: date */
                end_date: string;
                /** @enum {string} */
                interval: "hour" | "day" | "week";
                /** Format: date */
                start_date: string;
            };
            /** @description Of the completed replies, exact (nearest rank). */
            time_to_first_token_ms: {
                p50: number | null;
                p95: number | null;
                p99: number | null;
            };
            /** @description Every step of the period, including empty ones; weeks start on Monday. */
            timeline: {
                conversations: number;
                /** @description US dollars. */
                cost: number;
                errors: number;
                /** @description Of the completed replies of the step, exact (nearest rank). */
                latency_ms: {
                    p50: number | null;
                    p95: number | null;
                    p99: number | null;
                };
                messages: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00Z
                 */
                start: string;
                tokens: number;
            }[];
            tokens: {
                input: number;
                output: number;
            };
            /** @description Sorted by calls, highest first. */
            tools: {
                average_latency_ms: number | null;
                calls: number;
                failures: number;
                name: string;
                tool_id: string | null;
            }[];
            /** @description Users with at least one question. */
            users: {
                unique: number;
            };
        };
        /** ConversationChanges */
        ConversationChanges: {
            /** @description The agent of the conversation. It cannot be changed. */
            agent_id?: string;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description Ignored. */
            readonly evaluation_id?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly messages?: unknown;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.
             * @default false
             */
            shared?: boolean;
            /**
             * @description Set it to `completed` to complete the conversation. It cannot be reopened.
             * @default active
             * @enum {string}
             */
            status?: "active" | "completed";
            /** @description Defaults to the beginning of the first message. */
            title?: string | null;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The user. For a token of role `user` it is always its own. */
            user_id?: string | null;
            /**
             * @description Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.
             * @default {}
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** ConversationCompleted */
        ConversationCompleted: {
            agent_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            completed_at: string;
            conversation_id: string;
            /** @description US dollars. */
            cost: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            messages: {
                assistant: number;
                total: number;
                user: number;
            };
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Completed by a request, or after a time without messages.
             * @enum {string}
             */
            reason: "requested" | "idle";
            title: string | null;
            tokens: {
                input: number;
                output: number;
            };
            user_id: string | null;
        };
        /** ConversationTotals */
        ConversationTotals: {
            /** @description US dollars. */
            cost: number;
            messages: {
                assistant: number;
                total: number;
                user: number;
            };
            tokens: {
                input: number;
                output: number;
            };
        };
        /** ConversationWithMessages */
        ConversationWithMessages: {
            /** @description The agent of the conversation. It cannot be changed. */
            agent_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description The evaluation that started it, if any. */
            readonly evaluation_id: string | null;
            /** @example cnv_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @description The last 200 of the active branch, oldest first. */
            messages: components["schemas"]["Message"][];
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.
             * @default false
             */
            shared: boolean;
            /**
             * @description Set it to `completed` to complete the conversation. It cannot be reopened.
             * @default active
             * @enum {string}
             */
            status: "active" | "completed";
            /** @description Defaults to the beginning of the first message. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The user. For a token of role `user` it is always its own. */
            user_id: string | null;
            /**
             * @description Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.
             * @default {}
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** CreatedToken */
        CreatedToken: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            expires_at: string | null;
            /** @example tok_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly last_used_at: string | null;
            name: string;
            /**
             * @description The first characters of the secret, to recognize it.
             * @example parley_h8Kd
             */
            readonly prefix: string;
            /** @description Requests per minute instead of the default; 0 for no limit. */
            rate_limit: number | null;
            /**
             * @description What the token may do. You cannot create a token with a higher role than your own.
             * @enum {string}
             */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            /** @description The token itself. It is shown only once. */
            secret: string;
            /** @description The same as `secret`. */
            token: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The user of the token. Required for the role `user`. */
            user_id: string | null;
        };
        /** DecideToolCall */
        DecideToolCall: {
            /** @description `false` refuses the call; the model learns of it and continues. */
            approved: boolean;
            /**
             * @description Answer with Server-Sent Events.
             * @default false
             */
            stream?: boolean;
            /** @description The call, as `approval.required` names it. */
            tool_call_id: string;
        };
        /** DocumentChunk */
        DocumentChunk: {
            /** @description Exactly the characters `start..end` of the parsed document. */
            content: string;
            /**
             * Format: date-time
             * @description Of the document.
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            end: number;
            /** @description The title of the document and the headings above the passage, outermost first. */
            headings: string[];
            /** @description The `chunk_id` of search results. */
            id: string;
            /** @description 1 if the format has no pages. */
            page: number;
            /** @description The position in the document, starting at 1. */
            position: number;
            start: number;
            /**
             * Format: date-time
             * @description Of the document.
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
        };
        /** DocumentContent */
        DocumentContent: {
            document_id: string;
            end: number;
            /** @description The headings in this range. */
            headings: {
                level: number;
                start: number;
                title: string;
            }[];
            /** @description The length of the whole text in UTF-16 code units, like `start` and `end`. */
            length: number;
            name: string;
            /** @description The pages in this range; empty if the format has no pages. */
            pages: {
                end: number;
                number: number;
                start: number;
            }[];
            start: number;
            /** @description The characters `start..end`. */
            text: string;
            /** @description Problems found while reading the document. */
            warnings: string[];
        };
        /** Done */
        Done: {
            message: string;
            /** @constant */
            success: true;
        };
        /** EmbeddingList */
        EmbeddingList: {
            data: {
                /** @description Numbers, or their bytes in base64. */
                embedding: unknown;
                index: number;
                /** @enum {string} */
                object: "embedding";
            }[];
            model: string;
            /** @enum {string} */
            object: "list";
            usage: {
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        /** EmbeddingsRequest */
        EmbeddingsRequest: {
            /** @description Only the model's own dimensions are supported. */
            dimensions?: number | null;
            /** @enum {string} */
            encoding_format?: "float" | "base64";
            input: string | string[];
            /** @description An embedding model's id, or the provider's name for it. */
            model: string;
            user?: string | null;
        };
        /** Error */
        Error: {
            /** @enum {string} */
            code: "invalid_request" | "malformed_json" | "unknown_reference" | "unsupported_input" | "unsupported_file_type" | "egress_blocked" | "unauthenticated" | "invalid_token" | "forbidden" | "budget_exceeded" | "not_found" | "in_use" | "conversation_busy" | "conversation_completed" | "already_running" | "idempotency_in_progress" | "precondition_failed" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "provider_error" | "overloaded" | "provider_timeout" | "turn_timeout";
            details?: {
                message: string;
                path: string;
            }[];
            /** @description What is wrong and how to fix it. */
            error: string;
            request_id: string;
            /** @constant */
            success: false;
        };
        /** Evaluation */
        Evaluation: {
            /**
             * @description How many cases run in parallel.
             * @default 4
             */
            concurrency: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example evl_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            name: string;
            /**
             * @description The minimum pass rate for the verdict `passed`.
             * @default 1
             */
            pass_threshold: number;
            /**
             * @default [
             *       {
             *         "type": "similarity"
             *       }
             *     ]
             */
            scorers: components["schemas"]["Scorer"][];
            /** @description The id of the target. */
            target_id: string;
            readonly test_case_count: number;
            test_cases: components["schemas"]["TestCase"][];
            /**
             * @description The type of the target.
             * @enum {string}
             */
            type: "agent" | "rag_tool" | "retrieval_tool" | "model";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** EvaluationChanges */
        EvaluationChanges: {
            /**
             * @description How many cases run in parallel.
             * @default 4
             */
            concurrency?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            name?: string;
            /**
             * @description The minimum pass rate for the verdict `passed`.
             * @default 1
             */
            pass_threshold?: number;
            /**
             * @default [
             *       {
             *         "type": "similarity"
             *       }
             *     ]
             */
            scorers?: components["schemas"]["Scorer"][];
            /** @description The id of the target. */
            target_id?: string;
            /** @description Ignored. */
            readonly test_case_count?: unknown;
            test_cases?: components["schemas"]["TestCase"][];
            /**
             * @description The type of the target.
             * @enum {string}
             */
            type?: "agent" | "rag_tool" | "retrieval_tool" | "model";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** EvaluationComparison */
        EvaluationComparison: {
            /** @description Cases that passed before and do not pass now. */
            broken: number;
            cases: {
                only_in_baseline: number;
                only_in_run: number;
                paired: number;
            };
            /** @description The first 1,000 changed cases. */
            changed: {
                baseline_case: number;
                case: number;
                /** @enum {string} */
                change: "fixed" | "broken";
                input: string;
            }[];
            /** @description Cases that failed before and pass now. */
            fixed: number;
            /** @description Of the paired cases, by McNemar's exact test. */
            pass_rate: {
                after: number;
                before: number;
                change: number;
                p_value: number;
                significant: boolean;
            };
            /** @description Whether something became significantly worse. */
            regression: boolean;
            /** @description The run compared with. */
            run_id: string;
            /** @description By scorer, by Wilcoxon's signed-rank test with Holm's correction for the number of scorers. */
            scores: {
                [key: string]: {
                    after: number;
                    before: number;
                    change: number;
                    p_value: number;
                    significant: boolean;
                };
            };
            /** @enum {string} */
            verdict: "passed" | "failed";
        };
        /** EvaluationFinished */
        EvaluationFinished: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            error: string | null;
            evaluation_id: string;
            evaluation_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            finished_at: string | null;
            progress: {
                done: number;
                total: number;
            };
            run_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            started_at: string | null;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
            /** @description As in `GET /evaluations/{id}/results`. */
            summary: {
                [key: string]: unknown;
            } | null;
            target_id: string;
            target_version: number | null;
            /** @description The type of the evaluated resource. */
            type: string;
            verdict: string | null;
        };
        /** EvaluationListItem */
        EvaluationListItem: {
            /**
             * @description How many cases run in parallel.
             * @default 4
             */
            concurrency: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example evl_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            name: string;
            /**
             * @description The minimum pass rate for the verdict `passed`.
             * @default 1
             */
            pass_threshold: number;
            /** @description The 10 newest runs, newest first. */
            readonly recent_runs: components["schemas"]["EvaluationRunInList"][];
            /**
             * @default [
             *       {
             *         "type": "similarity"
             *       }
             *     ]
             */
            scorers: components["schemas"]["Scorer"][];
            /** @description The id of the target. */
            target_id: string;
            readonly test_case_count: number;
            /**
             * @description The type of the target.
             * @enum {string}
             */
            type: "agent" | "rag_tool" | "retrieval_tool" | "model";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** EvaluationResult */
        EvaluationResult: {
            /** @description At most 100,000 characters. */
            actual_output: string | null;
            /** @description The index of the case in `test_cases`. */
            case: number;
            conversation_id?: string;
            /** @description US dollars. */
            cost: number;
            error?: string;
            expected_output: string | null;
            input: string;
            latency_ms: number | null;
            /** @description As in the test case. */
            metadata: {
                [key: string]: unknown;
            };
            passed: boolean;
            scores: components["schemas"]["Score"][];
            tokens: number;
        };
        /** EvaluationResults */
        EvaluationResults: {
            comparison?: components["schemas"]["EvaluationComparison"];
            results: components["schemas"]["EvaluationResult"][];
            run: components["schemas"]["EvaluationRun"];
            summary: components["schemas"]["EvaluationSummary"];
        };
        /** EvaluationRun */
        EvaluationRun: {
            concurrency: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @description Why the run itself failed. */
            error: string | null;
            evaluation_id: string;
            /** @description The revision of the evaluation whose cases and scorers this run uses. */
            evaluation_version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            finished_at: string | null;
            /** @example run_01k9z8q4m6e3v7t2w5x8y1a4bc */
            id: string;
            /** @description The language model that the target uses in this run. */
            model_id: string | null;
            pass_threshold: number;
            progress: {
                done: number;
                total: number;
            };
            scorers: components["schemas"]["Scorer"][];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            started_at: string | null;
            /** @description The token that started it. */
            started_by: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            summary: components["schemas"]["EvaluationSummary"] | null;
            target_id: string;
            /** @description The name of the target when the run started. */
            target_name: string | null;
            /** @description The version of the target that this run uses. */
            target_version: number | null;
            /** @enum {string} */
            type: "agent" | "rag_tool" | "retrieval_tool" | "model";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
        };
        /** EvaluationRunInList */
        EvaluationRunInList: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @example run_01k9z8q4m6e3v7t2w5x8y1a4bc */
            id: string;
            pass_rate: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @enum {string|null} */
            verdict: "passed" | "failed" | null;
        };
        /** EvaluationSummary */
        EvaluationSummary: {
            /** @description Cost of the target in US dollars. */
            cost: number;
            /** @description Cases that could not be run or scored. They count as not passed. */
            errors: number;
            failed: number;
            /** @description Cost of judges in US dollars. */
            judge_cost: number;
            /** @description Used by judges. */
            judge_tokens: number;
            latency_ms: {
                p50: number | null;
                p95: number | null;
            };
            /** @description By scorer. */
            mean_scores: {
                [key: string]: number;
            };
            pass_rate: number | null;
            /** @description The 95 % Wilson confidence interval of the pass rate. */
            pass_rate_ci95: number[] | null;
            passed: number;
            /** @description Used by the target. */
            tokens: number;
            /** @description Cases with a result. */
            total: number;
            /**
             * @description Null while the run is active.
             * @enum {string|null}
             */
            verdict: "passed" | "failed" | null;
        };
        /** Feedback */
        Feedback: {
            comment: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @enum {string} */
            rating: "up" | "down";
        };
        /** File */
        File: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @example fil_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * @description Found in the content.
             * @example application/pdf
             */
            media_type: string;
            /** @example invoice.pdf */
            name: string;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /**
             * @description Bytes.
             * @example 48213
             */
            size: number;
        };
        /** FoundResource */
        FoundResource: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            description: string | null;
            id: string;
            /** @description Of a document. */
            knowledge_source_id: string | null;
            /** @description Of a conversation: the messages that match. */
            matches: components["schemas"]["MessageMatch"][];
            /** @description The title of a conversation. */
            name: string;
            /** @enum {string} */
            type: "agent" | "conversation" | "knowledge_source" | "document" | "rag_tool" | "retrieval_tool" | "api_tool" | "prompt_template" | "model" | "evaluation";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
        };
        /** GiveFeedback */
        GiveFeedback: {
            comment?: string | null;
            /** @enum {string} */
            rating: "up" | "down";
        };
        /** Health */
        Health: {
            /** @enum {string} */
            database: "connected" | "disconnected";
            /** @enum {string} */
            status: "healthy" | "unhealthy";
            /** @enum {string} */
            vector_db: "connected" | "disconnected";
            /** @example 0.1.0 */
            version: string;
        };
        /** Highlight */
        Highlight: {
            end: number;
            start: number;
        };
        /** ImportedTestCases */
        ImportedTestCases: {
            imported: number;
            test_case_count: number;
        };
        /** ImportTestCases */
        ImportTestCases: {
            /** @description The text of the file. */
            content: string;
            /** @enum {string} */
            format: "csv" | "jsonl";
        };
        /** IndexState */
        IndexState: {
            chunks: number;
            documents: number;
            /** @description The number of chunks embedded by the embedding model. */
            refined: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
        };
        /** KnowledgeDocument */
        KnowledgeDocument: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description Why the document could not be read. */
            error: string | null;
            /** @example doc_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            readonly knowledge_source_id: string;
            media_type: string | null;
            /** @description Metadata from the document and from the caller. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The name of the file, the title of the text or the URL of the page. */
            name: string;
            /** @description The number of pages, if the format has pages. */
            pages: number | null;
            /** @description Of the content. */
            sha256: string | null;
            /** @description In bytes. */
            size: number;
            /** @enum {string} */
            status: "pending" | "indexed" | "failed";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** KnowledgeSource */
        KnowledgeSource: {
            /** @default {} */
            configuration: {
                /** @description `text`: the documents. */
                documents?: {
                    /** @description Text or Markdown. */
                    content: string;
                    /** @description Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them. */
                    metadata?: {
                        [key: string]: string | (number | boolean | null) | (string | number | boolean | null)[];
                    };
                    /** @description The `source` of search results. */
                    title: string;
                }[];
                /** @description `file`, `directory`: the accepted file types, such as `pdf`. Default: all supported types. */
                file_types?: string[];
                /** @description `web`: the maximum number of links from a start page. Default: 3. */
                max_depth?: number;
                /**
                 * @description `file`, `directory`: the maximum size of a file in bytes. Default: 52428800 (50 MiB), at most 536870912 (512 MiB).
                 * @example 52428800
                 */
                max_file_size?: number;
                /** @description `web`: the maximum number of pages. Default: 100. */
                max_pages?: number;
                /** @description `directory`: a folder below one that the operator allows (`DIRECTORY_ROOTS`). */
                path?: string;
                /** @description `web`: the URL of a sitemap. */
                sitemap?: string | null;
                /** @description `web`: where the crawl starts. It stays on the same sites. */
                urls?: string[];
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example src_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly last_sync: string | null;
            name: string;
            /**
             * @description Indexed documents stay searchable during `syncing` and after an `error`.
             * @enum {string}
             */
            readonly status: "pending" | "syncing" | "active" | "error";
            /** @description Why the last sync failed. */
            readonly status_message: string | null;
            /**
             * @description Where the documents come from. It cannot be changed.
             * @enum {string}
             */
            type: "file" | "text" | "web" | "directory";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** KnowledgeSourceChanges */
        KnowledgeSourceChanges: {
            /** @default {} */
            configuration?: {
                /** @description `text`: the documents. */
                documents?: {
                    /** @description Text or Markdown. */
                    content: string;
                    /** @description Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them. */
                    metadata?: {
                        [key: string]: string | (number | boolean | null) | (string | number | boolean | null)[];
                    };
                    /** @description The `source` of search results. */
                    title: string;
                }[];
                /** @description `file`, `directory`: the accepted file types, such as `pdf`. Default: all supported types. */
                file_types?: string[];
                /** @description `web`: the maximum number of links from a start page. Default: 3. */
                max_depth?: number;
                /**
                 * @description `file`, `directory`: the maximum size of a file in bytes. Default: 52428800 (50 MiB), at most 536870912 (512 MiB).
                 * @example 52428800
                 */
                max_file_size?: number;
                /** @description `web`: the maximum number of pages. Default: 100. */
                max_pages?: number;
                /** @description `directory`: a folder below one that the operator allows (`DIRECTORY_ROOTS`). */
                path?: string;
                /** @description `web`: the URL of a sitemap. */
                sitemap?: string | null;
                /** @description `web`: where the crawl starts. It stays on the same sites. */
                urls?: string[];
            };
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly last_sync?: unknown;
            name?: string;
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description Where the documents come from. It cannot be changed.
             * @enum {string}
             */
            type?: "file" | "text" | "web" | "directory";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** KnowledgeSourceListItem */
        KnowledgeSourceListItem: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example src_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly last_sync: string | null;
            name: string;
            /**
             * @description Indexed documents stay searchable during `syncing` and after an `error`.
             * @enum {string}
             */
            readonly status: "pending" | "syncing" | "active" | "error";
            /** @description Why the last sync failed. */
            readonly status_message: string | null;
            /**
             * @description Where the documents come from. It cannot be changed.
             * @enum {string}
             */
            type: "file" | "text" | "web" | "directory";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** KnowledgeSourceSynced */
        KnowledgeSourceSynced: {
            knowledge_source: {
                id: string;
                name: string;
                /** @enum {string} */
                status: "active" | "error";
                type: string;
            };
            /** @description The sync record, as in `GET /knowledge-sources/{id}/syncs/{sync}`. */
            sync: {
                [key: string]: unknown;
            };
        };
        /** KnowledgeSync */
        KnowledgeSync: {
            chunks: {
                embedded: number;
                removed: number;
                reused: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            documents: {
                added: number;
                failed: number;
                removed: number;
                total: number;
                unchanged: number;
                updated: number;
            };
            /** @description Why the sync failed. */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            finished_at: string | null;
            /** @example syn_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            knowledge_source_id: string;
            /** @description The documents that are being read, with how far: first their pages, then their passages. */
            reading: components["schemas"]["ReadingProgress"][];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            started_at: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** ListedConversation */
        ListedConversation: {
            /** @description The agent of the conversation. It cannot be changed. */
            agent_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description The evaluation that started it, if any. */
            readonly evaluation_id: string | null;
            /** @example cnv_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @description With `search`: the newest messages that match, at most 3. */
            matches?: components["schemas"]["MessageMatch"][];
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.
             * @default false
             */
            shared: boolean;
            /**
             * @description Set it to `completed` to complete the conversation. It cannot be reopened.
             * @default active
             * @enum {string}
             */
            status: "active" | "completed";
            /** @description Defaults to the beginning of the first message. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The user. For a token of role `user` it is always its own. */
            user_id: string | null;
            /** @description Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions. */
            variables?: {
                [key: string]: string;
            };
        };
        /** Live */
        Live: {
            /** @enum {string} */
            status: "healthy";
            /** @example 0.1.0 */
            version: string;
        };
        /** McpAnswer */
        McpAnswer: {
            error?: {
                [key: string]: unknown;
            };
            id?: string | number;
            jsonrpc: string;
            result?: {
                [key: string]: unknown;
            };
        };
        /** McpMessage */
        McpMessage: {
            id?: string | number;
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @example tools/list */
            method: string;
            params?: {
                [key: string]: unknown;
            };
        };
        /** McpServerTools */
        McpServerTools: {
            /** @description Whether the server offers something else than what is in effect. */
            has_changes: boolean;
            /**
             * Format: date-time
             * @description When the server last changed its tools.
             */
            offered_at: string | null;
            tools: {
                /**
                 * @description How the server has changed it. `added` and `changed` take effect when they are accepted.
                 * @enum {string|null}
                 */
                change: "added" | "changed" | "removed" | null;
                /** @description In effect. */
                description: string | null;
                /** @description Whether it is chosen in `tools`. */
                enabled: boolean;
                /** @description The server's name for the tool. */
                name: string;
                /** @description The new description and schema of a tool that was added or changed. */
                offered: {
                    description: string;
                    parameters: {
                        [key: string]: unknown;
                    };
                } | null;
                /** @description In effect. */
                parameters: {
                    [key: string]: unknown;
                } | null;
                requires_approval: boolean;
                /** @description The name for the model, or null if it is not in effect. */
                tool_name: string | null;
            }[];
            /** @description Identifies what the server offers; null before it was asked. */
            version: string | null;
        };
        /** Me */
        Me: {
            /** @enum {string} */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            token: components["schemas"]["TokenOfMe"];
            /** @description The user of the token. */
            user_id: string | null;
            workspace: components["schemas"]["WorkspaceOfMe"];
        };
        /** Message */
        Message: {
            agent_version: number | null;
            attachments: components["schemas"]["Attachment"][];
            citations: components["schemas"]["Citation"][];
            code: string | null;
            content: string;
            conversation_id: string;
            /**
             * Format: date-time
             * @description The same as `timestamp`.
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @description Why it failed. */
            error: string | null;
            feedback: components["schemas"]["Feedback"] | null;
            finish_reason: string | null;
            id: string;
            latency_ms: number | null;
            model_id: string | null;
            /** @description The message before it. Null for a first message. */
            parent_message_id: string | null;
            /** @enum {string} */
            role: "user" | "assistant";
            /** @enum {string} */
            status: "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";
            time_to_first_token_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            timestamp: string;
            tool_calls: components["schemas"]["MessageToolCall"][];
            /**
             * Format: date-time
             * @description When it last changed, feedback included.
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
            usage: components["schemas"]["MessageUsage"] | null;
            /** @description The ids of all messages with the same parent, oldest first, this one included: edited questions, regenerated replies. */
            versions: string[];
        };
        /**
         * MessageEvent
         * @description The `data` of one Server-Sent Event. `sequence` counts from 1 and is the same each time a reply is streamed.
         */
        MessageEvent: {
            agent_id: string | null;
            conversation_id: string;
            message_id: string;
            model_id: string | null;
            sequence: number;
            /** @constant */
            type: "message.started";
        } | {
            delta: string;
            sequence: number;
            /** @constant */
            type: "text.delta";
        } | {
            /** @description More of what the model thinks. */
            delta: string;
            sequence: number;
            /** @constant */
            type: "reasoning.delta";
        } | {
            /** @description As the model sent them. */
            arguments: unknown;
            name: string;
            sequence: number;
            tool_call_id: string;
            tool_id: string | null;
            /** @constant */
            type: "tool.started";
        } | {
            /** @description Grows with every event of the call. */
            progress: number;
            sequence: number;
            /** @description What the tool says about it. */
            text: string | null;
            tool_call_id: string;
            /** @description The progress at the end, if the tool knows it. */
            total: number | null;
            /** @constant */
            type: "tool.progress";
        } | {
            /** @description As the model sent them. */
            arguments: unknown;
            name: string;
            sequence: number;
            /** @description The method and the address, or the address of the MCP server. */
            target: string | null;
            tool_call_id: string;
            tool_id: string | null;
            /** @constant */
            type: "approval.required";
        } | {
            latency_ms: number | null;
            result: string | null;
            sequence: number;
            /** @enum {string} */
            status: "awaiting_approval" | "running" | "completed" | "failed" | "refused";
            tool_call_id: string;
            /** @constant */
            type: "tool.finished";
        } | {
            message: components["schemas"]["Message"];
            sequence: number;
            /** @constant */
            type: "message.completed";
        } | {
            code: string;
            error: string;
            message: components["schemas"]["Message"];
            sequence: number;
            /** @constant */
            type: "message.failed";
        } | {
            message: components["schemas"]["Message"];
            sequence: number;
            /** @constant */
            type: "message.cancelled";
        };
        /** MessageMatch */
        MessageMatch: {
            /** @description Where the words are in `snippet`. */
            highlights: components["schemas"]["Highlight"][];
            message_id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            /** @description The part of the message around the words. */
            snippet: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            timestamp: string;
        };
        /** MessageToolCall */
        MessageToolCall: {
            /** @description The decision about a call that needs approval; missing before it is made. */
            approved?: boolean;
            /** @description As the model sent them. */
            arguments: unknown;
            id: string;
            latency_ms: number | null;
            name: string;
            result: string | null;
            /** @enum {string} */
            status: "awaiting_approval" | "running" | "completed" | "failed" | "refused";
            /**
             * @description Of a call that needs approval: the method and the address, or the address of the MCP server.
             * @example DELETE https://api.example.com/orders/{id}
             */
            target?: string;
            tool_id: string | null;
        };
        /** MessageUsage */
        MessageUsage: {
            /** @description US dollars. */
            cost: number;
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
        };
        /** Model */
        Model: {
            /** @description The last four characters of the key. */
            readonly api_key_hint: string | null;
            readonly api_key_set: boolean;
            /** @description In tokens. */
            context_window: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description URL of the provider. Changing it requires sending `api_key` again. */
            endpoint: string | null;
            /** @example mdl_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * @description What a chat model takes: images only if `image` is listed. Documents are read by the service and given as text, whether or not `file` is listed. By default known for well-known models, else `["text"]`.
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            input_modalities: ("text" | "image" | "file")[];
            /**
             * @description Used where no model is named. There is one default of each type.
             * @default false
             */
            is_default: boolean;
            /** @description The provider's name of the model. */
            model_id: string;
            name: string;
            /**
             * @description Further settings passed to the provider. Not a place for secrets.
             * @default {}
             */
            options: {
                [key: string]: unknown;
            };
            pricing: {
                /** @description US dollars per 1,000 input tokens that the provider had cached. */
                cached_input?: number;
                /** @description Alias of `cached_input`; reads always show `cached_input`. */
                cached_input_per_1k?: number;
                /** @description US dollars per 1,000 input tokens. Required. */
                input?: number;
                /** @description Alias of `input`; reads always show `input`. */
                input_per_1k?: number;
                /** @description US dollars per 1,000 output tokens. Required for chat models. */
                output?: number;
                /** @description Alias of `output`; reads always show `output`. */
                output_per_1k?: number;
            } | null;
            /** @description One of openai, mistral, groq, deepseek, openrouter, together, fireworks, xai, ollama, openai-compatible, anthropic, google, cohere, local; any other name needs an `endpoint` with the OpenAI API. */
            provider: string;
            /**
             * @description By default inferred from `model_id`, such as `embedding` for `text-embedding-3-small`.
             * @enum {string}
             */
            type: "chat" | "embedding" | "rerank";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** ModelChanges */
        ModelChanges: {
            /** @description Kept encrypted, never read back. */
            api_key?: string | null;
            /** @description Ignored. */
            readonly api_key_hint?: unknown;
            /** @description Ignored. */
            readonly api_key_set?: unknown;
            /** @description In tokens. */
            context_window?: number | null;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description URL of the provider. Changing it requires sending `api_key` again. */
            endpoint?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description What a chat model takes: images only if `image` is listed. Documents are read by the service and given as text, whether or not `file` is listed. By default known for well-known models, else `["text"]`.
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            input_modalities?: ("text" | "image" | "file")[];
            /**
             * @description Used where no model is named. There is one default of each type.
             * @default false
             */
            is_default?: boolean;
            /** @description The provider's name of the model. */
            model_id?: string;
            name?: string;
            /**
             * @description Further settings passed to the provider. Not a place for secrets.
             * @default {}
             */
            options?: {
                [key: string]: unknown;
            };
            pricing?: {
                /** @description US dollars per 1,000 input tokens that the provider had cached. */
                cached_input?: number;
                /** @description Alias of `cached_input`; reads always show `cached_input`. */
                cached_input_per_1k?: number;
                /** @description US dollars per 1,000 input tokens. Required. */
                input?: number;
                /** @description Alias of `input`; reads always show `input`. */
                input_per_1k?: number;
                /** @description US dollars per 1,000 output tokens. Required for chat models. */
                output?: number;
                /** @description Alias of `output`; reads always show `output`. */
                output_per_1k?: number;
            } | null;
            /** @description One of openai, mistral, groq, deepseek, openrouter, together, fireworks, xai, ollama, openai-compatible, anthropic, google, cohere, local; any other name needs an `endpoint` with the OpenAI API. */
            provider?: string;
            /**
             * @description By default inferred from `model_id`, such as `embedding` for `text-embedding-3-small`.
             * @enum {string}
             */
            type?: "chat" | "embedding" | "rerank";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** ModelTest */
        ModelTest: {
            error: string | null;
            latency_ms: number;
            ok: boolean;
        };
        /** NewAgent */
        NewAgent: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /**
             * @description Models to try in this order if the first one fails.
             * @default []
             */
            fallback_model_ids?: string[];
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description How many times it may call tools in one turn.
             * @default 8
             */
            max_steps?: number;
            /** @description The maximum length of a reply. */
            max_tokens?: number | null;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace. */
            model_id?: string | null;
            name: string;
            /** @description Whether it may call several tools at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Instead of `system_prompt`. */
            prompt_template_id?: string | null;
            /**
             * @description The values for the template's variables. A conversation can replace them with its own `variables`. Not shown to the role `user`.
             * @default {}
             */
            prompt_variables?: {
                [key: string]: string;
            };
            /**
             * @description How long a reasoning model thinks.
             * @enum {string|null}
             */
            reasoning_effort?: "low" | "medium" | "high" | null;
            /** @description The same seed makes replies repeatable, as far as the provider can. */
            seed?: number | null;
            /**
             * @default active
             * @enum {string}
             */
            status?: "active" | "archived";
            /**
             * @description A text, or up to four of them, before which the reply ends.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[] | string | null;
            /** @description Not shown to the role `user`. */
            system_prompt?: string | null;
            temperature?: number | null;
            /** @description `auto`, `none`, `required` or the id of one of its `tools`. A forced call is the first step of a reply; after it the model decides. */
            tool_choice?: string | null;
            /**
             * @description Ids of RAG, retrieval and API tools.
             * @default []
             */
            tools?: string[];
            /** @description Chooses only among the likeliest words, whose probabilities add up to this. */
            top_p?: number | null;
            /**
             * @description The topics it covers.
             * @default []
             */
            topics?: string[];
            /**
             * @description A label of your own.
             * @default conversational
             */
            type?: string;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Ignored. */
            readonly version?: unknown;
            /** @description Ignored. */
            readonly warnings?: unknown;
        };
        /** NewApiTool */
        NewApiTool: {
            /**
             * @description The credentials of calls. A change of scheme, host or port requires the secret again: it is never sent to a new address.
             * @default {
             *       "type": "none"
             *     }
             */
            auth?: {
                /** @description Further credentials that are sent with each call, for APIs that require several at once. */
                additional?: {
                    /** @description For `oauth2_client_credentials`. The client id. */
                    client_id?: string;
                    /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    client_secret?: string | null;
                    /** @description Whether `client_secret` is set. */
                    readonly client_secret_set?: boolean;
                    /**
                     * @description For `api_key`. Where it is sent. Default: `header`.
                     * @enum {string}
                     */
                    in?: "header" | "query";
                    /** @description An alias of `value`. */
                    key?: string | null;
                    /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                    name?: string;
                    /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    password?: string | null;
                    /** @description Whether `password` is set. */
                    readonly password_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                    scope?: string;
                    /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    token?: string | null;
                    /** @description Whether `token` is set. */
                    readonly token_set?: boolean;
                    /** @description For `oauth2_client_credentials`. The token endpoint. */
                    token_url?: string;
                    /** @enum {string} */
                    type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                    /** @description For `basic`. The user name. */
                    username?: string;
                    /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                    value?: string | null;
                    /** @description Whether `value` is set. */
                    readonly value_set?: boolean;
                }[];
                /** @description For `oauth2_client_credentials`. The client id. */
                client_id?: string;
                /** @description For `oauth2_client_credentials`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                client_secret?: string | null;
                /** @description Whether `client_secret` is set. */
                readonly client_secret_set?: boolean;
                /**
                 * @description For `api_key`. Where it is sent. Default: `header`.
                 * @enum {string}
                 */
                in?: "header" | "query";
                /** @description An alias of `value`. */
                key?: string | null;
                /** @description For `api_key`. The name of the header or query parameter. Default: `X-API-Key`. */
                name?: string;
                /** @description For `basic`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                password?: string | null;
                /** @description Whether `password` is set. */
                readonly password_set?: boolean;
                /** @description For `oauth2_client_credentials`. The scopes, separated by spaces. */
                scope?: string;
                /** @description For `bearer`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                token?: string | null;
                /** @description Whether `token` is set. */
                readonly token_set?: boolean;
                /** @description For `oauth2_client_credentials`. The token endpoint. */
                token_url?: string;
                /** @enum {string} */
                type: "none" | "bearer" | "api_key" | "basic" | "oauth2_client_credentials";
                /** @description For `basic`. The user name. */
                username?: string;
                /** @description For `api_key`. Stored encrypted and never returned. If omitted in an update, it is not changed. */
                value?: string | null;
                /** @description Whether `value` is set. */
                readonly value_set?: boolean;
            };
            /** @description A template: `"{param}"` becomes the value with its type. Default: all arguments that are not used elsewhere are the JSON body, or the query if the method has no body. */
            body?: {
                [key: string]: unknown;
            } | unknown[] | string | null;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description Tells the model what the tool does and when to use it. */
            description: string;
            /**
             * @description Templates with `{param}`. Secrets belong in `auth`.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @default 1048576 */
            max_response_bytes?: number;
            /**
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
            /**
             * @description The name for the model: letters, digits, `_` and `-`. Unique in the workspace.
             * @example get_weather
             */
            name: string;
            /** @description JSON Schema (2020-12) of the arguments. Default: a required string for each `{param}`. Only declared arguments are sent: `additionalProperties` is false by default, and other arguments are dropped. */
            parameters?: {
                [key: string]: unknown;
            };
            /**
             * @description Templates with `{param}`. A list is sent as a repeated parameter, or joined with `{param:csv}`, `{param:ssv}` or `{param:pipes}`; `{param:json}` sends JSON. Parameters without a value are omitted.
             * @default {}
             */
            query?: {
                [key: string]: (string | number | boolean) | (string | number | boolean)[];
            };
            /**
             * @description A person must approve each call.
             * @default false
             */
            requires_approval?: boolean;
            /** @description A JMESPath expression that selects a part of the response. */
            response_path?: string | null;
            /** @description Ignored. */
            readonly source?: unknown;
            /** @default 10000 */
            timeout_ms?: number;
            /** @description For MCP servers: the tools that agents may use, each with its own approval. Default: all. */
            tools?: {
                /** @description The server's name for the tool. */
                name: string;
                /** @description Default: the `requires_approval` of the server. */
                requires_approval?: boolean;
            }[] | null;
            /**
             * @description `http`: one call of an HTTP API. `mcp`: every tool of an MCP server (streamable HTTP) at `url`.
             * @default http
             * @enum {string}
             */
            type?: "http" | "mcp";
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /**
             * @description May contain `{param}` in its path and query. Values are encoded.
             * @example https://api.example.com/weather/{city}
             */
            url: string;
        };
        /** NewConversation */
        NewConversation: {
            /** @description The agent of the conversation. It cannot be changed. */
            agent_id: string;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description Ignored. */
            readonly evaluation_id?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.
             * @default false
             */
            shared?: boolean;
            /**
             * @description Set it to `completed` to complete the conversation. It cannot be reopened.
             * @default active
             * @enum {string}
             */
            status?: "active" | "completed";
            /** @description Defaults to the beginning of the first message. */
            title?: string | null;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The user. For a token of role `user` it is always its own. */
            user_id?: string | null;
            /**
             * @description Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.
             * @default {}
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** NewEvaluation */
        NewEvaluation: {
            /**
             * @description How many cases run in parallel.
             * @default 4
             */
            concurrency?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            name: string;
            /**
             * @description The minimum pass rate for the verdict `passed`.
             * @default 1
             */
            pass_threshold?: number;
            /**
             * @default [
             *       {
             *         "type": "similarity"
             *       }
             *     ]
             */
            scorers?: components["schemas"]["Scorer"][];
            /** @description The id of the target. */
            target_id: string;
            /** @description Ignored. */
            readonly test_case_count?: unknown;
            test_cases: components["schemas"]["TestCase"][];
            /**
             * @description The type of the target.
             * @enum {string}
             */
            type: "agent" | "rag_tool" | "retrieval_tool" | "model";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** NewKnowledgeSource */
        NewKnowledgeSource: {
            /** @default {} */
            configuration?: {
                /** @description `text`: the documents. */
                documents?: {
                    /** @description Text or Markdown. */
                    content: string;
                    /** @description Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them. */
                    metadata?: {
                        [key: string]: string | (number | boolean | null) | (string | number | boolean | null)[];
                    };
                    /** @description The `source` of search results. */
                    title: string;
                }[];
                /** @description `file`, `directory`: the accepted file types, such as `pdf`. Default: all supported types. */
                file_types?: string[];
                /** @description `web`: the maximum number of links from a start page. Default: 3. */
                max_depth?: number;
                /**
                 * @description `file`, `directory`: the maximum size of a file in bytes. Default: 52428800 (50 MiB), at most 536870912 (512 MiB).
                 * @example 52428800
                 */
                max_file_size?: number;
                /** @description `web`: the maximum number of pages. Default: 100. */
                max_pages?: number;
                /** @description `directory`: a folder below one that the operator allows (`DIRECTORY_ROOTS`). */
                path?: string;
                /** @description `web`: the URL of a sitemap. */
                sitemap?: string | null;
                /** @description `web`: where the crawl starts. It stays on the same sites. */
                urls?: string[];
            };
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly last_sync?: unknown;
            name: string;
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description Where the documents come from. It cannot be changed.
             * @enum {string}
             */
            type: "file" | "text" | "web" | "directory";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** NewModel */
        NewModel: {
            /** @description Kept encrypted, never read back. */
            api_key?: string | null;
            /** @description Ignored. */
            readonly api_key_hint?: unknown;
            /** @description Ignored. */
            readonly api_key_set?: unknown;
            /** @description In tokens. */
            context_window?: number | null;
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description URL of the provider. Changing it requires sending `api_key` again. */
            endpoint?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description What a chat model takes: images only if `image` is listed. Documents are read by the service and given as text, whether or not `file` is listed. By default known for well-known models, else `["text"]`.
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            input_modalities?: ("text" | "image" | "file")[];
            /**
             * @description Used where no model is named. There is one default of each type.
             * @default false
             */
            is_default?: boolean;
            /** @description The provider's name of the model. */
            model_id: string;
            name: string;
            /**
             * @description Further settings passed to the provider. Not a place for secrets.
             * @default {}
             */
            options?: {
                [key: string]: unknown;
            };
            pricing?: {
                /** @description US dollars per 1,000 input tokens that the provider had cached. */
                cached_input?: number;
                /** @description Alias of `cached_input`; reads always show `cached_input`. */
                cached_input_per_1k?: number;
                /** @description US dollars per 1,000 input tokens. Required. */
                input?: number;
                /** @description Alias of `input`; reads always show `input`. */
                input_per_1k?: number;
                /** @description US dollars per 1,000 output tokens. Required for chat models. */
                output?: number;
                /** @description Alias of `output`; reads always show `output`. */
                output_per_1k?: number;
            } | null;
            /** @description One of openai, mistral, groq, deepseek, openrouter, together, fireworks, xai, ollama, openai-compatible, anthropic, google, cohere, local; any other name needs an `endpoint` with the OpenAI API. */
            provider: string;
            /**
             * @description By default inferred from `model_id`, such as `embedding` for `text-embedding-3-small`.
             * @enum {string}
             */
            type?: "chat" | "embedding" | "rerank";
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** NewPromptTemplate */
        NewPromptTemplate: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            name: string;
            /** @description Text with `{{name}}` placeholders. */
            template: string;
            /**
             * @default system
             * @enum {string}
             */
            type?: "system" | "user";
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The placeholder names. Default: those in the template. */
            variables?: string[];
            /** @description Ignored. */
            readonly version?: unknown;
        };
        /** NewRagTool */
        NewRagTool: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap?: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model?: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly index?: unknown;
            knowledge_source_id: string;
            /** @description The model that writes the answer. Default: the workspace's default chat model. */
            model_id?: string | null;
            name: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold?: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode?: "hybrid" | "vector" | "keyword";
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k?: number;
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** NewRetrievalTool */
        NewRetrievalTool: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap?: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model?: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly index?: unknown;
            knowledge_source_ids: string[];
            name: string;
            /**
             * @description `none`, `mmr` (diverse passages), or a model of type `rerank`.
             * @default none
             */
            rerank?: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold?: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode?: "hybrid" | "vector" | "keyword";
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k?: number;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The weights of vector and keyword scores in a hybrid search. Default: the weights that performed best in our measurements. */
            weights?: {
                keyword: number;
                vector: number;
            } | null;
        };
        /** NewToken */
        NewToken: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            expires_at?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly last_used_at?: unknown;
            name: string;
            /** @description Ignored. */
            readonly prefix?: unknown;
            /** @description Requests per minute instead of the default; 0 for no limit. */
            rate_limit?: number | null;
            /**
             * @description What the token may do. You cannot create a token with a higher role than your own.
             * @enum {string}
             */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The user of the token. Required for the role `user`. */
            user_id?: string | null;
        };
        /** NewUsageThreshold */
        NewUsageThreshold: {
            /**
             * @description `block` also refuses calls of models that could pass the limit (403 `budget_exceeded`): before each call the most it can come to is reserved.
             * @enum {string}
             */
            action: "notify" | "block";
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description The id of the entity. Omit it for the workspace. */
            entity_id?: string | null;
            /**
             * @description Whose usage counts.
             * @default workspace
             * @enum {string}
             */
            entity_type?: "workspace" | "agent" | "model" | "user" | "token";
            /** @description Ignored. */
            readonly exceeded_at?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description US dollars (up to 9000000) or tokens. */
            limit: number;
            /** @enum {string} */
            metric: "cost" | "tokens";
            name: string;
            /** @description Ignored. */
            readonly percent?: unknown;
            /** @description Ignored. */
            readonly reserved?: unknown;
            /** @description Ignored. */
            readonly resets_at?: unknown;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Ignored. */
            readonly used?: unknown;
            /**
             * @description A UTC day, a UTC month, or all time.
             * @enum {string}
             */
            window: "day" | "month" | "total";
        };
        /** NewWebhook */
        NewWebhook: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly disabled_reason?: unknown;
            /**
             * @description Events that occur while it is false are not sent later.
             * @default true
             */
            enabled?: boolean;
            /** @description The events to send; `*` for all. */
            events: ("*" | "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test")[];
            /** @description Ignored. */
            readonly failing_since?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly secret?: unknown;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Events are sent here by POST. */
            url: string;
        };
        /** NewWorkspace */
        NewWorkspace: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            name: string;
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** OpenAiError */
        OpenAiError: {
            /** @enum {string} */
            code: "invalid_request" | "malformed_json" | "unknown_reference" | "unsupported_input" | "unsupported_file_type" | "egress_blocked" | "unauthenticated" | "invalid_token" | "forbidden" | "budget_exceeded" | "not_found" | "in_use" | "conversation_busy" | "conversation_completed" | "already_running" | "idempotency_in_progress" | "precondition_failed" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "provider_error" | "overloaded" | "provider_timeout" | "turn_timeout";
            details?: {
                message: string;
                path: string;
            }[];
            error: {
                /** @enum {string} */
                code: "invalid_request" | "malformed_json" | "unknown_reference" | "unsupported_input" | "unsupported_file_type" | "egress_blocked" | "unauthenticated" | "invalid_token" | "forbidden" | "budget_exceeded" | "not_found" | "in_use" | "conversation_busy" | "conversation_completed" | "already_running" | "idempotency_in_progress" | "precondition_failed" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "provider_error" | "overloaded" | "provider_timeout" | "turn_timeout";
                /** @description What is wrong and what to do about it. */
                message: string;
                /** @description The invalid field, if there is one. */
                param: string | null;
                /** @enum {string} */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error" | "rate_limit_error" | "api_error";
            };
            request_id: string;
            /** @constant */
            success: false;
        };
        /** OpenAiModel */
        OpenAiModel: {
            created: number;
            id: string;
            name: string;
            /** @enum {string} */
            object: "model";
            owned_by: string;
        };
        /** OpenAiModelList */
        OpenAiModelList: {
            data: components["schemas"]["OpenAiModel"][];
            /** @enum {string} */
            object: "list";
        };
        /** Pagination */
        Pagination: {
            limit: number;
            page: number;
            /** @description `total` divided by `limit`, rounded up. */
            pages: number;
            /** @description The number of rows. Of more than 1,000 matches of `q`, or 10,000 rows with other filters, the number that is known to exist, which grows with the page. */
            total: number;
        };
        /**
         * ProblemDetails
         * @description An error in the format of RFC 9457, for requests with `Accept: application/problem+json`.
         */
        ProblemDetails: {
            /** @enum {string} */
            code: "invalid_request" | "malformed_json" | "unknown_reference" | "unsupported_input" | "unsupported_file_type" | "egress_blocked" | "unauthenticated" | "invalid_token" | "forbidden" | "budget_exceeded" | "not_found" | "in_use" | "conversation_busy" | "conversation_completed" | "already_running" | "idempotency_in_progress" | "precondition_failed" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "provider_error" | "overloaded" | "provider_timeout" | "turn_timeout";
            /** @description What is wrong and how to fix it. */
            detail: string;
            details?: {
                message: string;
                path: string;
            }[];
            request_id: string;
            status: number;
            /** @example Not Found */
            title: string;
            /** @example urn:parley:error:not_found */
            type: string;
        };
        /** PromptTemplate */
        PromptTemplate: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example tpl_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            name: string;
            /** @description Text with `{{name}}` placeholders. */
            template: string;
            /**
             * @default system
             * @enum {string}
             */
            type: "system" | "user";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The placeholder names. Default: those in the template. */
            variables: string[];
            readonly version: number;
        };
        /** PromptTemplateChanges */
        PromptTemplateChanges: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly id?: unknown;
            name?: string;
            /** @description Text with `{{name}}` placeholders. */
            template?: string;
            /**
             * @default system
             * @enum {string}
             */
            type?: "system" | "user";
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The placeholder names. Default: those in the template. */
            variables?: string[];
            /** @description Ignored. */
            readonly version?: unknown;
        };
        /** RagCitation */
        RagCitation: {
            /** @description The n of `[n]` in the answer, starting at 1. */
            index: number;
            /** @description A literal quote from the result. */
            quote: string;
            /** @description The position in `results`, starting at 0. */
            result: number;
        };
        /** RagQuery */
        RagQuery: {
            /**
             * @description `false`: only returns passages.
             * @default true
             */
            answer?: boolean;
            /**
             * @description Applied in addition to the tool's filters.
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            } | null;
            /** @description The question or search terms. */
            query: string;
            /** @description Overrides the tool's `top_k`. */
            top_k?: number | null;
        };
        /** RagQueryResult */
        RagQueryResult: {
            /** @description Cites results as `[n]`. */
            answer: string | null;
            citations: components["schemas"]["RagCitation"][];
            /** @description Why the results may be worse than usual: the index is not ready, or static vectors were used because the embedding model has not seen all passages or failed for the query. Empty if nothing is missing. */
            degraded: components["schemas"]["SearchDegradation"][];
            index: components["schemas"]["SearchedIndex"];
            query: string;
            results: components["schemas"]["SearchResult"][];
        };
        /** RagTool */
        RagTool: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @example rag_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            index: components["schemas"]["IndexState"];
            knowledge_source_id: string;
            /** @description The model that writes the answer. Default: the workspace's default chat model. */
            model_id: string | null;
            name: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode: "hybrid" | "vector" | "keyword";
            /**
             * @description `ready`: everything is searchable. Until then, searches use the previous index.
             * @enum {string}
             */
            readonly status: "pending" | "indexing" | "ready" | "error";
            /** @description What failed or is still missing. */
            readonly status_message: string | null;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /** RagToolChanges */
        RagToolChanges: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap?: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model?: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly index?: unknown;
            knowledge_source_id?: string;
            /** @description The model that writes the answer. Default: the workspace's default chat model. */
            model_id?: string | null;
            name?: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold?: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode?: "hybrid" | "vector" | "keyword";
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k?: number;
            /** @description Ignored. */
            readonly updated_at?: unknown;
        };
        /** ReadingProgress */
        ReadingProgress: {
            document_id: string;
            done: number;
            name: string;
            total: number;
            /** @enum {string} */
            unit: "pages" | "passages";
        };
        /** RegenerateMessage */
        RegenerateMessage: {
            /** @default false */
            stream?: boolean;
        };
        /** RenderedPromptTemplate */
        RenderedPromptTemplate: {
            text: string;
        };
        /** RenderPromptTemplate */
        RenderPromptTemplate: {
            /** @default {} */
            variables?: {
                [key: string]: string | number | boolean;
            };
        };
        /** RetrievalTool */
        RetrievalTool: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @example ret_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            index: components["schemas"]["IndexState"];
            knowledge_source_ids: string[];
            name: string;
            /**
             * @description `none`, `mmr` (diverse passages), or a model of type `rerank`.
             * @default none
             */
            rerank: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode: "hybrid" | "vector" | "keyword";
            /**
             * @description `ready`: everything is searchable. Until then, searches use the previous index.
             * @enum {string}
             */
            readonly status: "pending" | "indexing" | "ready" | "error";
            /** @description What failed or is still missing. */
            readonly status_message: string | null;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The weights of vector and keyword scores in a hybrid search. Default: the weights that performed best in our measurements. */
            weights: {
                keyword: number;
                vector: number;
            } | null;
        };
        /** RetrievalToolChanges */
        RetrievalToolChanges: {
            /** @description The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`. */
            chunk_overlap?: number | null;
            /**
             * @description The size of a passage in tokens.
             * @default 400
             */
            chunk_size?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one. */
            embedding_model?: string | null;
            /**
             * @description Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.
             * @default {}
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            };
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly index?: unknown;
            knowledge_source_ids?: string[];
            name?: string;
            /**
             * @description `none`, `mmr` (diverse passages), or a model of type `rerank`.
             * @default none
             */
            rerank?: string;
            /** @description Leaves out passages with a lower score. */
            score_threshold?: number | null;
            /**
             * @default hybrid
             * @enum {string}
             */
            search_mode?: "hybrid" | "vector" | "keyword";
            /** @description Ignored. */
            readonly status?: unknown;
            /** @description Ignored. */
            readonly status_message?: unknown;
            /**
             * @description The maximum number of passages to return.
             * @default 5
             */
            top_k?: number;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description The weights of vector and keyword scores in a hybrid search. Default: the weights that performed best in our measurements. */
            weights?: {
                keyword: number;
                vector: number;
            } | null;
        };
        /** Score */
        Score: {
            passed: boolean;
            reason?: string;
            score: number;
            scorer: string;
        };
        /** Scorer */
        Scorer: {
            /** @description The settings of this type of scorer. */
            config?: {
                [key: string]: unknown;
            };
            /** @description The minimum score to pass. */
            threshold?: number | null;
            /** @enum {string} */
            type: "exact_match" | "contains" | "regex" | "json_match" | "similarity" | "llm_judge" | "tool_called" | "retrieval_hit" | "latency" | "cost";
        };
        /** Search */
        Search: {
            /**
             * @description Applied in addition to the tool's filters.
             * @example {
             *       "department": [
             *         "sales",
             *         "support"
             *       ],
             *       "year": {
             *         "gte": 2024
             *       }
             *     }
             */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                    gte?: string | number;
                    lte?: string | number;
                    ne?: string | number | boolean | null;
                };
            } | null;
            /** @description The question or search terms. */
            query: string;
            /**
             * @description Overrides the tool's `search_mode`.
             * @enum {string|null}
             */
            search_mode?: "hybrid" | "vector" | "keyword" | null;
            /** @description Overrides the tool's `top_k`. */
            top_k?: number | null;
        };
        /** SearchAnswer */
        SearchAnswer: {
            /** @description Why the results may be worse than usual: the index is not ready, or static vectors were used because the embedding model has not seen all passages or failed for the query. Empty if nothing is missing. */
            degraded: components["schemas"]["SearchDegradation"][];
            index: components["schemas"]["SearchedIndex"];
            query: string;
            results: components["schemas"]["SearchResult"][];
            /** @description The duration of the search in milliseconds. */
            took_ms: number;
        };
        /** SearchDegradation */
        SearchDegradation: {
            /** @enum {string} */
            code: "index_not_ready" | "embedding_pending" | "embedding_failed";
            message: string;
        };
        /** SearchedIndex */
        SearchedIndex: {
            /**
             * @description `ready`: everything is searchable.
             * @enum {string}
             */
            status: "pending" | "indexing" | "ready" | "error";
        };
        /**
         * SearchReason
         * @description Why the passage was found.
         */
        SearchReason: {
            /** @description The headings above the passage, outermost first. */
            headings: string[];
            /** @description The match by keywords, relative to the best passage, 0 to 1; null if this part of the search did not find the passage or was not used. */
            keyword: number | null;
            /** @description The words of the query as they appear in the passage or its headings. */
            terms: string[];
            /** @description The match by vectors: relative to the best passage in a hybrid search, otherwise the cosine, 0 to 1; null if this part of the search did not find the passage or was not used. */
            vector: number | null;
        };
        /** SearchResult */
        SearchResult: {
            /** @description Exactly the characters `start..end` of the parsed document. */
            content: string;
            /** @description Also contains the document's own metadata. */
            metadata: {
                chunk_id: string;
                document_id: string;
                end: number;
                /** @description 1 if the format has no pages. */
                page: number;
                /** @description The name of the document, the title of a text or the URL of a page. */
                source: string;
                start: number;
            } & {
                [key: string]: unknown;
            };
            /** @description 0 to 1. */
            score: number;
            why: components["schemas"]["SearchReason"];
        };
        /** SendMessage */
        SendMessage: {
            /**
             * @description Files that were uploaded with `POST /files`, at most 10.
             * @example [
             *       {
             *         "file_id": "fil_01k9z8q4m6e3v7t2w5x8y1a4bc"
             *       }
             *     ]
             */
            attachments?: {
                file_id: string;
            }[];
            message: string;
            /** @description The reply that the message follows; `null` makes it a first message. If another message follows it already, this one becomes a new version of that and starts a new branch. Left out: the last reply. */
            parent_message_id?: string | null;
            /**
             * @description Answer with Server-Sent Events.
             * @default false
             */
            stream?: boolean;
        };
        /** Session */
        Session: {
            /** @enum {string} */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            session: components["schemas"]["BrowserSession"] | null;
            token: components["schemas"]["TokenOfMe"];
            /** @description The user of the token. */
            user_id: string | null;
            workspace: components["schemas"]["WorkspaceOfMe"];
        };
        /** SignIn */
        SignIn: {
            /**
             * @description Stay signed in for 30 days after the last request. Otherwise until the browser closes, at most 7 days after the last request.
             * @default false
             */
            remember?: boolean;
            /** @description A token, or a JWT of the configured issuer. */
            token: string;
        };
        /** SignOut */
        SignOut: {
            /**
             * @description End all sessions of this token, in every browser.
             * @default false
             */
            everywhere?: boolean;
        };
        /** Status */
        Status: {
            components: {
                database: components["schemas"]["Component"];
                files: components["schemas"]["Component"];
                jobs: components["schemas"]["Component"];
                vector_db: components["schemas"]["Component"];
            };
            /** @description The number of resources in the workspace, by type. Empty while the database is down. */
            counts: {
                [key: string]: number;
            };
            /** @description `due` are the queued ones that wait only for a worker: scale workers by it. Null while the database is down. */
            jobs: {
                due: number | null;
                failed: number | null;
                queued: number | null;
                running: number | null;
            };
            /** @description The process that responded. */
            node: string;
            /** @enum {string} */
            status: "operational" | "degraded";
            uptime_seconds: number;
            version: string;
        };
        /** TestCase */
        TestCase: {
            /** @description Most scorers compare the answer with it. */
            expected_output?: string | null;
            /** @description The input of the target. */
            input: string;
            /** @description Your own data. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** TestCaseFromMessage */
        TestCaseFromMessage: {
            conversation_id: string;
            /** @description Default: the reply. */
            expected_output?: string | null;
            /** @description A question, or the reply to it. */
            message_id: string;
            /** @description Your own data. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** Token */
        Token: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            expires_at: string | null;
            /** @example tok_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly last_used_at: string | null;
            name: string;
            /**
             * @description The first characters of the secret, to recognize it.
             * @example parley_h8Kd
             */
            readonly prefix: string;
            /** @description Requests per minute instead of the default; 0 for no limit. */
            rate_limit: number | null;
            /**
             * @description What the token may do. You cannot create a token with a higher role than your own.
             * @enum {string}
             */
            role: "viewer" | "user" | "editor" | "admin" | "owner";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description The user of the token. Required for the role `user`. */
            user_id: string | null;
        };
        /** TokenOfMe */
        TokenOfMe: {
            id: string;
            /** @description Null for a JWT. */
            name: string | null;
        };
        /** Trace */
        Trace: {
            conversation_id: string;
            /** @description Including the time it waited for approval. Null while the turn runs. */
            duration_ms: number | null;
            message_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            started_at: string;
            /** @enum {string} */
            status: "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";
            /** @description In the order they started. Empty for replies of versions that did not record them. */
            steps: components["schemas"]["TraceStep"][];
            time_to_first_token_ms: number | null;
            /** @description Of the trace in OpenTelemetry, if it is configured or the request had a `traceparent`. */
            trace_id: string | null;
            usage: components["schemas"]["MessageUsage"] | null;
        };
        /** TraceStep */
        TraceStep: {
            /** @description Requests to the provider, retries included. */
            attempts: number | null;
            /** @description Null while the step runs. */
            duration_ms: number | null;
            /** @description Why a request failed: an HTTP status, or a word such as `timeout` or `connection`. */
            error: string | null;
            finish_reason: string | null;
            /** @description Earlier messages that the model gets. */
            messages: number | null;
            /** @description The model, of a step that calls one. */
            model_id: string | null;
            /** @description The provider’s name of the model, the name of the tool, or the type. */
            name: string;
            /** @description Its number in the trace, from 1. */
            number: number;
            /** @description Older messages that did not fit the model. */
            omitted_messages: number | null;
            /** @description The number of the step that it is a part of. */
            parent: number | null;
            provider: string | null;
            /** @description Passages that a `retrieval` or `search` found. */
            results: number | null;
            /** @description From the start of the turn. */
            start_ms: number;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "refused" | "cancelled" | "interrupted";
            /** @description From the start of the step. */
            time_to_first_token_ms: number | null;
            /** @description The call in `tool_calls` of the message, with its arguments and result. */
            tool_call_id: string | null;
            /** @description The calls that an `approval` is about. */
            tool_call_ids: string[];
            tool_id: string | null;
            /**
             * @description `agent`: the agent, its prompt and its tools were loaded. `history`: the messages that fit the model were chosen. `model`: a request to a language model. `tool`: a call of an API tool or of an MCP server. `retrieval`: a call of a RAG or retrieval tool, with `embedding`, `search` and `rerank` as its parts. `approval`: the turn waited for a decision.
             * @enum {string}
             */
            type: "agent" | "history" | "model" | "tool" | "retrieval" | "embedding" | "search" | "rerank" | "approval";
            usage: components["schemas"]["TraceUsage"] | null;
        };
        /** TraceUsage */
        TraceUsage: {
            /** @description Part of `input_tokens`. */
            cached_input_tokens: number;
            /** @description US dollars. */
            cost: number;
            /** @description The provider did not report the tokens. */
            estimated: boolean;
            input_tokens: number;
            output_tokens: number;
            /** @description Part of `output_tokens`. */
            reasoning_tokens: number;
            total_tokens: number;
        };
        /**
         * TriedReply
         * @description A reply that is not stored: `conversation_id` is empty, and no other route knows its `id`.
         */
        TriedReply: {
            agent_version: number | null;
            attachments: components["schemas"]["Attachment"][];
            citations: components["schemas"]["Citation"][];
            code: string | null;
            content: string;
            conversation_id: string;
            /**
             * Format: date-time
             * @description The same as `timestamp`.
             * @example 2026-01-31T12:00:00Z
             */
            created_at: string;
            /** @description Why it failed. */
            error: string | null;
            feedback: components["schemas"]["Feedback"] | null;
            finish_reason: string | null;
            id: string;
            latency_ms: number | null;
            model_id: string | null;
            /** @description The message before it. Null for a first message. */
            parent_message_id: string | null;
            /** @enum {string} */
            role: "user" | "assistant";
            /** @enum {string} */
            status: "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";
            /** @description What was done, in the order it started, as in a trace. */
            steps: components["schemas"]["TraceStep"][];
            time_to_first_token_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            timestamp: string;
            tool_calls: components["schemas"]["MessageToolCall"][];
            /**
             * Format: date-time
             * @description When it last changed, feedback included.
             * @example 2026-01-31T12:00:00Z
             */
            updated_at: string;
            usage: components["schemas"]["MessageUsage"] | null;
            /** @description The ids of all messages with the same parent, oldest first, this one included: edited questions, regenerated replies. */
            versions: string[];
        };
        /** TryAgent */
        TryAgent: {
            /** @description The saved version that the fields change. Default: the current one. */
            base_version?: number;
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /**
             * @description Models to try in this order if the first one fails.
             * @default []
             */
            fallback_model_ids?: string[];
            /** @description Ignored. */
            readonly id?: unknown;
            /**
             * @description How many times it may call tools in one turn.
             * @default 8
             */
            max_steps?: number;
            /** @description The maximum length of a reply. */
            max_tokens?: number | null;
            /** @description The conversation so far, oldest first. The last one is the question. */
            messages: {
                content: string;
                /** @enum {string} */
                role: "user" | "assistant";
            }[];
            /**
             * @description Custom labels. Names and values are strings.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace. */
            model_id?: string | null;
            name?: string;
            /** @description Whether it may call several tools at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Instead of `system_prompt`. */
            prompt_template_id?: string | null;
            /**
             * @description The values for the template's variables. A conversation can replace them with its own `variables`. Not shown to the role `user`.
             * @default {}
             */
            prompt_variables?: {
                [key: string]: string;
            };
            /**
             * @description How long a reasoning model thinks.
             * @enum {string|null}
             */
            reasoning_effort?: "low" | "medium" | "high" | null;
            /** @description The same seed makes replies repeatable, as far as the provider can. */
            seed?: number | null;
            /**
             * @default active
             * @enum {string}
             */
            status?: "active" | "archived";
            /**
             * @description A text, or up to four of them, before which the reply ends.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[] | string | null;
            /**
             * @description Answer with Server-Sent Events.
             * @default false
             */
            stream?: boolean;
            /** @description Not shown to the role `user`. */
            system_prompt?: string | null;
            temperature?: number | null;
            /** @description `auto`, `none`, `required` or the id of one of its `tools`. A forced call is the first step of a reply; after it the model decides. */
            tool_choice?: string | null;
            /**
             * @description Ids of RAG, retrieval and API tools.
             * @default []
             */
            tools?: string[];
            /** @description Chooses only among the likeliest words, whose probabilities add up to this. */
            top_p?: number | null;
            /**
             * @description The topics it covers.
             * @default []
             */
            topics?: string[];
            /**
             * @description A label of your own.
             * @default conversational
             */
            type?: string;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Ignored. */
            readonly version?: unknown;
        };
        /**
         * TryEvent
         * @description The `data` of one Server-Sent Event: those of a message, whose last one carries the `steps` as well.
         */
        TryEvent: {
            agent_id: string | null;
            conversation_id: string;
            message_id: string;
            model_id: string | null;
            sequence: number;
            /** @constant */
            type: "message.started";
        } | {
            delta: string;
            sequence: number;
            /** @constant */
            type: "text.delta";
        } | {
            /** @description More of what the model thinks. */
            delta: string;
            sequence: number;
            /** @constant */
            type: "reasoning.delta";
        } | {
            /** @description As the model sent them. */
            arguments: unknown;
            name: string;
            sequence: number;
            tool_call_id: string;
            tool_id: string | null;
            /** @constant */
            type: "tool.started";
        } | {
            /** @description Grows with every event of the call. */
            progress: number;
            sequence: number;
            /** @description What the tool says about it. */
            text: string | null;
            tool_call_id: string;
            /** @description The progress at the end, if the tool knows it. */
            total: number | null;
            /** @constant */
            type: "tool.progress";
        } | {
            /** @description As the model sent them. */
            arguments: unknown;
            name: string;
            sequence: number;
            /** @description The method and the address, or the address of the MCP server. */
            target: string | null;
            tool_call_id: string;
            tool_id: string | null;
            /** @constant */
            type: "approval.required";
        } | {
            latency_ms: number | null;
            result: string | null;
            sequence: number;
            /** @enum {string} */
            status: "awaiting_approval" | "running" | "completed" | "failed" | "refused";
            tool_call_id: string;
            /** @constant */
            type: "tool.finished";
        } | {
            message: components["schemas"]["TriedReply"];
            sequence: number;
            /** @constant */
            type: "message.completed";
        } | {
            code: string;
            error: string;
            message: components["schemas"]["TriedReply"];
            sequence: number;
            /** @constant */
            type: "message.failed";
        } | {
            message: components["schemas"]["TriedReply"];
            sequence: number;
            /** @constant */
            type: "message.cancelled";
        };
        /** UpdateDocument */
        UpdateDocument: {
            /** @description Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them. */
            metadata: {
                [key: string]: string | (number | boolean | null) | (string | number | boolean | null)[];
            };
        };
        /** UploadFile */
        UploadFile: {
            file: string;
        };
        /** UsageCosts */
        UsageCosts: {
            /**
             * @description By type (agent, user, token, tool, evaluation), then by id.
             * @example {
             *       "agent": {
             *         "agt_01k9z8q4m6e3v7t2w5x8y1a4bc": {
             *           "tokens": 16240,
             *           "cost": 0.0487,
             *           "requests": 20
             *         }
             *       }
             *     }
             */
            by_entity: {
                [key: string]: {
                    [key: string]: {
                        /** @description US dollars. */
                        cost: number;
                        requests: number;
                        tokens: number;
                    };
                };
            };
            /**
             * @description By id of the model.
             * @example {
             *       "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc": {
             *         "name": "GPT-5 mini",
             *         "model_id": "gpt-5-mini",
             *         "tokens": 16240,
             *         "cost": 0.0487,
             *         "requests": 20,
             *         "input_tokens": 14960,
             *         "output_tokens": 1280
             *       }
             *     }
             */
            by_model: {
                [key: string]: {
                    /** @description US dollars. */
                    cost: number;
                    input_tokens: number;
                    /** @description The provider's name for it. Null if the model was deleted. */
                    model_id: string | null;
                    /** @description Null if the model was deleted. */
                    name: string | null;
                    output_tokens: number;
                    requests: number;
                    tokens: number;
                };
            };
            /** @enum {string} */
            currency: "USD";
            daily: {
                cost: number;
                /** Format: date */
                date: string;
                /** @description With `group_by`: the models, agents or users of the day. Calls without an agent or user are left out. */
                groups?: {
                    /** @description US dollars. */
                    cost: number;
                    id: string;
                    requests: number;
                    tokens: number;
                }[];
                tokens: number;
            }[];
            total_cost: number;
        };
        /** UsageStats */
        UsageStats: {
            /**
             * @description By type (agent, user, token, tool, evaluation), then by id.
             * @example {
             *       "agent": {
             *         "agt_01k9z8q4m6e3v7t2w5x8y1a4bc": {
             *           "tokens": 16240,
             *           "cost": 0.0487,
             *           "requests": 20
             *         }
             *       }
             *     }
             */
            by_entity: {
                [key: string]: {
                    [key: string]: {
                        /** @description US dollars. */
                        cost: number;
                        requests: number;
                        tokens: number;
                    };
                };
            };
            /**
             * @description By id of the model.
             * @example {
             *       "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc": {
             *         "name": "GPT-5 mini",
             *         "model_id": "gpt-5-mini",
             *         "tokens": 16240,
             *         "cost": 0.0487,
             *         "requests": 20,
             *         "input_tokens": 14960,
             *         "output_tokens": 1280
             *       }
             *     }
             */
            by_model: {
                [key: string]: {
                    /** @description US dollars. */
                    cost: number;
                    input_tokens: number;
                    /** @description The provider's name for it. Null if the model was deleted. */
                    model_id: string | null;
                    /** @description Null if the model was deleted. */
                    name: string | null;
                    output_tokens: number;
                    requests: number;
                    tokens: number;
                };
            };
            total_cost: number;
            total_tokens: number;
        };
        /** UsageThreshold */
        UsageThreshold: {
            /**
             * @description `block` also refuses calls of models that could pass the limit (403 `budget_exceeded`): before each call the most it can come to is reserved.
             * @enum {string}
             */
            action: "notify" | "block";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /** @description The id of the entity. Omit it for the workspace. */
            entity_id: string | null;
            /**
             * @description Whose usage counts.
             * @default workspace
             * @enum {string}
             */
            entity_type: "workspace" | "agent" | "model" | "user" | "token";
            /**
             * Format: date-time
             * @description When it was first reached or blocked a call in this window.
             * @example 2026-01-31T12:00:00Z
             */
            readonly exceeded_at: string | null;
            /** @example thr_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /** @description US dollars (up to 9000000) or tokens. */
            limit: number;
            /** @enum {string} */
            metric: "cost" | "tokens";
            name: string;
            /** @description `used` as a percentage of `limit`. */
            readonly percent: number;
            /** @description The maximum that running calls may use. */
            readonly reserved: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly resets_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description In this window: US dollars or tokens. */
            readonly used: number;
            /**
             * @description A UTC day, a UTC month, or all time.
             * @enum {string}
             */
            window: "day" | "month" | "total";
        };
        /** UsageThresholdChanges */
        UsageThresholdChanges: {
            /**
             * @description `block` also refuses calls of models that could pass the limit (403 `budget_exceeded`): before each call the most it can come to is reserved.
             * @enum {string}
             */
            action?: "notify" | "block";
            /** @description Ignored. */
            readonly created_at?: unknown;
            /** @description The id of the entity. Omit it for the workspace. */
            entity_id?: string | null;
            /**
             * @description Whose usage counts.
             * @default workspace
             * @enum {string}
             */
            entity_type?: "workspace" | "agent" | "model" | "user" | "token";
            /** @description Ignored. */
            readonly exceeded_at?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description US dollars (up to 9000000) or tokens. */
            limit?: number;
            /** @enum {string} */
            metric?: "cost" | "tokens";
            name?: string;
            /** @description Ignored. */
            readonly percent?: unknown;
            /** @description Ignored. */
            readonly reserved?: unknown;
            /** @description Ignored. */
            readonly resets_at?: unknown;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Ignored. */
            readonly used?: unknown;
            /**
             * @description A UTC day, a UTC month, or all time.
             * @enum {string}
             */
            window?: "day" | "month" | "total";
        };
        /** UsageThresholdExceeded */
        UsageThresholdExceeded: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            exceeded_at: string;
            /** @enum {string} */
            reason: "limit_reached" | "call_blocked";
            /** @description Reserved for running calls. */
            reserved: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            resets_at: string | null;
            threshold: {
                /** @enum {string} */
                action: "notify" | "block";
                entity_id: string | null;
                entity_type: string | null;
                id: string;
                limit: number;
                /** @enum {string} */
                metric: "cost" | "tokens";
                name: string;
                /** @enum {string} */
                window: "day" | "month" | "total";
            };
            /** @description In the unit of `limit`. */
            used: number;
        };
        /** Version */
        Version: {
            /** Format: date-time */
            created_at: string;
            /** @description The token that created it. */
            created_by: string;
            /** @description The fields in this version. */
            snapshot: {
                [key: string]: unknown;
            };
            /** @example 3 */
            version: number;
        };
        /** Webhook */
        Webhook: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @description Why the service disabled it. */
            readonly disabled_reason: string | null;
            /**
             * @description Events that occur while it is false are not sent later.
             * @default true
             */
            enabled: boolean;
            /** @description The events to send; `*` for all. */
            events: ("*" | "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test")[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly failing_since: string | null;
            /** @example whk_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description Events are sent here by POST. */
            url: string;
        };
        /** WebhookChanges */
        WebhookChanges: {
            /** @description Ignored. */
            readonly created_at?: unknown;
            description?: string | null;
            /** @description Ignored. */
            readonly disabled_reason?: unknown;
            /**
             * @description Events that occur while it is false are not sent later.
             * @default true
             */
            enabled?: boolean;
            /** @description The events to send; `*` for all. */
            events?: ("*" | "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test")[];
            /** @description Ignored. */
            readonly failing_since?: unknown;
            /** @description Ignored. */
            readonly id?: unknown;
            /** @description Ignored. */
            readonly secret?: unknown;
            /** @description Ignored. */
            readonly updated_at?: unknown;
            /** @description Events are sent here by POST. */
            url?: string;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /** @description How many times it was sent. */
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            delivered_at: string | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @enum {string} */
            event: "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test";
            /** @description The `webhook-id` header, the same in every attempt. */
            event_id: string;
            /** @example dlv_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            last_attempt_at: string | null;
            latency_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            next_attempt_at: string | null;
            /** @description The exact body. */
            request_body: string;
            /** @description The start of the last response. */
            response_body: string | null;
            response_status: number | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            webhook_id: string;
        };
        /** WebhookTested */
        WebhookTested: {
            message: string;
            webhook_id: string;
        };
        /** WebhookWithSecret */
        WebhookWithSecret: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @description Why the service disabled it. */
            readonly disabled_reason: string | null;
            /**
             * @description Events that occur while it is false are not sent later.
             * @default true
             */
            enabled: boolean;
            /** @description The events to send; `*` for all. */
            events: ("*" | "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test")[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly failing_since: string | null;
            /** @example whk_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            /**
             * @description Signs every delivery. It is not shown again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
            /** @description Events are sent here by POST. */
            url: string;
        };
        /** Workspace */
        Workspace: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly created_at: string;
            description: string | null;
            /** @example wsp_01k9z8q4m6e3v7t2w5x8y1a4bc */
            readonly id: string;
            name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00Z
             */
            readonly updated_at: string;
        };
        /**
         * WorkspaceOfMe
         * @description The workspace of this request: that of `X-Workspace` if sent.
         */
        WorkspaceOfMe: {
            /** @example wsp_01k9z8q4m6e3v7t2w5x8y1a4bc */
            id: string;
            /** @example default */
            name: string;
        };
    };
    responses: {
        /** @description `already_running`: The same work is already running. `idempotency_in_progress`: The first request with this idempotency key is still running. */
        already_running_or_idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `budget_exceeded`: A blocking usage threshold has been reached. `forbidden`: The token's role does not permit this. */
        budget_exceeded_or_forbidden: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `conversation_busy`: The conversation is still answering an earlier message. `conversation_completed`: The conversation is completed and accepts no more messages. */
        conversation_busy_or_conversation_completed: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `conversation_busy`: The conversation is still answering an earlier message. `conversation_completed`: The conversation is completed and accepts no more messages. `idempotency_in_progress`: The first request with this idempotency key is still running. */
        conversation_busy_or_conversation_completed_or_idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `conversation_busy`: The conversation is still answering an earlier message. `idempotency_in_progress`: The first request with this idempotency key is still running. */
        conversation_busy_or_idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `egress_blocked`: The service does not send requests to this address. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        egress_blocked_or_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `file_too_large`: The file is larger than the source or the route accepts. `payload_too_large`: The body is larger than this route accepts. */
        file_too_large_or_payload_too_large: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `forbidden`: The token's role does not permit this. */
        forbidden: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this idempotency key is still running. */
        idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `idempotency_mismatch`: The idempotency key was already used with a different request. */
        idempotency_mismatch: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `in_use`: The resource is still referenced; `details` lists by whom. */
        in_use: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `in_use`: The resource is still referenced; `details` lists by whom. `idempotency_in_progress`: The first request with this idempotency key is still running. */
        in_use_or_idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `internal_error`: Internal error; the cause is in the log under the request ID. */
        internal_error: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. */
        invalid_request: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `invalid_token`: The token is unknown, revoked or expired. */
        invalid_token: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `not_found`: There is no such resource or route in this workspace. */
        not_found: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `budget_exceeded`: A blocking usage threshold has been reached. `forbidden`: The token's role does not permit this. */
        OpenAiError_budget_exceeded_or_forbidden: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `forbidden`: The token's role does not permit this. */
        OpenAiError_forbidden: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this idempotency key is still running. */
        OpenAiError_idempotency_in_progress: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `idempotency_mismatch`: The idempotency key was already used with a different request. */
        OpenAiError_idempotency_mismatch: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `internal_error`: Internal error; the cause is in the log under the request ID. */
        OpenAiError_internal_error: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. */
        OpenAiError_invalid_request: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        OpenAiError_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `not_found`: There is no such resource or route in this workspace. */
        OpenAiError_not_found: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `overloaded`: The service cannot handle the request now; try again shortly. */
        OpenAiError_overloaded: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `payload_too_large`: The body is larger than this route accepts. */
        OpenAiError_payload_too_large: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_error`: The model provider returned an error. */
        OpenAiError_provider_error: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_timeout`: The model provider did not respond in time. */
        OpenAiError_provider_timeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_timeout`: The model provider did not respond in time. `turn_timeout`: The reply took longer than the operator allows. */
        OpenAiError_provider_timeout_or_turn_timeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `rate_limited`: Too many requests; wait for the seconds in `Retry-After`. */
        OpenAiError_rate_limited: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unauthenticated`: The request carries no bearer token. `invalid_token`: The token is unknown, revoked or expired. */
        OpenAiError_unauthenticated_or_invalid_token: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unknown_reference`: The body names a resource that does not exist in this workspace. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        OpenAiError_unknown_reference_or_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unsupported_media_type`: The route does not accept the content type of the body. */
        OpenAiError_unsupported_media_type: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `overloaded`: The service cannot handle the request now; try again shortly. */
        overloaded: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `payload_too_large`: The body is larger than this route accepts. */
        payload_too_large: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `precondition_failed`: The resource has changed since the version named in `If-Match`. */
        precondition_failed: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_error`: The model provider returned an error. */
        provider_error: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_timeout`: The model provider did not respond in time. */
        provider_timeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `provider_timeout`: The model provider did not respond in time. `turn_timeout`: The reply took longer than the operator allows. */
        provider_timeout_or_turn_timeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `rate_limited`: Too many requests; wait for the seconds in `Retry-After`. */
        rate_limited: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unauthenticated`: The request carries no bearer token. `invalid_token`: The token is unknown, revoked or expired. */
        unauthenticated_or_invalid_token: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unknown_reference`: The body names a resource that does not exist in this workspace. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. */
        unknown_reference_or_invalid_request: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unknown_reference`: The body names a resource that does not exist in this workspace. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        unknown_reference_or_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unsupported_file_type`: The source does not accept files of this type. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        unsupported_file_type_or_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unsupported_input`: The model does not take this kind of input, such as images. `unknown_reference`: The body names a resource that does not exist in this workspace. `invalid_request`: The request is not valid; `details` names each field or parameter and what is wrong with it. `malformed_json`: The body is not valid JSON. */
        unsupported_input_or_unknown_reference_or_invalid_request_or_malformed_json: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description `unsupported_media_type`: The route does not accept the content type of the body. */
        unsupported_media_type: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
    };
    parameters: {
        /** @description Requests with the same key and body run once and get the same response for 24 hours. */
        idempotencyKey: string;
        /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
        ifMatch: string;
        /** @description An ETag. If it is still current, the response is 304 without a body. */
        ifNoneMatch: string;
        /** @description For an owner's token: the ID or name of the workspace to act in. */
        workspace: string;
    };
    requestBodies: never;
    headers: {
        /** @description The version of what was returned. Send it as `If-None-Match` to read again, as `If-Match` to change. */
        ETag: string;
        /** @description The response of an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /** @description Requests left in the window, and seconds until it resets. */
        RateLimit: string;
        /** @description The limit, and the length of the window in seconds. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description The authentication that is missing or invalid. */
        "WWW-Authenticate": string;
        /** @description Requests per window. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the window. */
        "X-RateLimit-Remaining": number;
        /** @description When the window resets, in seconds since 1970. */
        "X-RateLimit-Reset": number;
        /** @description The ID of this request in the log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAgents: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by max_steps. */
                max_steps?: number;
                /** @description Filter by max_tokens. */
                max_tokens?: number;
                /** @description Filter by model_id. */
                model_id?: string;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by parallel_tool_calls. */
                parallel_tool_calls?: boolean;
                /** @description Filter by prompt_template_id. */
                prompt_template_id?: string;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description Filter by reasoning_effort. */
                reasoning_effort?: "low" | "medium" | "high";
                /** @description Filter by seed. */
                seed?: number;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "system_prompt" | "model_id" | "temperature" | "max_tokens" | "top_p" | "seed" | "reasoning_effort" | "tool_choice" | "parallel_tool_calls" | "max_steps" | "prompt_template_id" | "status" | "type" | "version" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "active" | "archived";
                /** @description Filter by system_prompt. */
                system_prompt?: string;
                /** @description Filter by temperature. */
                temperature?: number;
                /** @description Filter by tool_choice. */
                tool_choice?: string;
                /** @description Filter by top_p. */
                top_p?: number;
                /** @description Filter by type. */
                type?: string;
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by version. */
                version?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Support",
                     *           "description": "Answers questions about our product.",
                     *           "model_id": null,
                     *           "temperature": 0.3,
                     *           "tools": [],
                     *           "created_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentListItem"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support",
                 *       "description": "Answers questions about our product.",
                 *       "system_prompt": "You are a friendly support agent.",
                 *       "temperature": 0.3,
                 *       "max_tokens": 800,
                 *       "tools": [],
                 *       "topics": [
                 *         "billing",
                 *         "delivery"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": "Answers questions about our product.",
                     *         "system_prompt": "You are a friendly support agent.",
                     *         "model_id": null,
                     *         "temperature": 0.3,
                     *         "max_tokens": 800,
                     *         "top_p": null,
                     *         "stop": null,
                     *         "seed": null,
                     *         "reasoning_effort": null,
                     *         "tool_choice": null,
                     *         "parallel_tool_calls": null,
                     *         "max_steps": 8,
                     *         "tools": [],
                     *         "topics": [
                     *           "billing",
                     *           "delivery"
                     *         ],
                     *         "prompt_template_id": null,
                     *         "fallback_model_ids": [],
                     *         "status": "active",
                     *         "type": "conversational",
                     *         "metadata": {},
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getAgentsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": "Answers questions about our product.",
                     *         "system_prompt": "You are a friendly support agent.",
                     *         "model_id": null,
                     *         "temperature": 0.3,
                     *         "max_tokens": 800,
                     *         "top_p": null,
                     *         "stop": null,
                     *         "seed": null,
                     *         "reasoning_effort": null,
                     *         "tool_choice": null,
                     *         "parallel_tool_calls": null,
                     *         "max_steps": 8,
                     *         "tools": [],
                     *         "topics": [
                     *           "billing",
                     *           "delivery"
                     *         ],
                     *         "prompt_template_id": null,
                     *         "fallback_model_ids": [],
                     *         "status": "active",
                     *         "type": "conversational",
                     *         "metadata": {},
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putAgentsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "temperature": 0.5
                 *     }
                 */
                "application/json": components["schemas"]["AgentChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": "Answers questions about our product.",
                     *         "system_prompt": "You are a friendly support agent.",
                     *         "model_id": null,
                     *         "temperature": 0.3,
                     *         "max_tokens": 800,
                     *         "top_p": null,
                     *         "stop": null,
                     *         "seed": null,
                     *         "reasoning_effort": null,
                     *         "tool_choice": null,
                     *         "parallel_tool_calls": null,
                     *         "max_steps": 8,
                     *         "tools": [],
                     *         "topics": [
                     *           "billing",
                     *           "delivery"
                     *         ],
                     *         "prompt_template_id": null,
                     *         "fallback_model_ids": [],
                     *         "status": "active",
                     *         "type": "conversational",
                     *         "metadata": {},
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteAgentsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchAgentsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "temperature": 0.5
                 *     }
                 */
                "application/json": components["schemas"]["AgentChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": "Answers questions about our product.",
                     *         "system_prompt": "You are a friendly support agent.",
                     *         "model_id": null,
                     *         "temperature": 0.3,
                     *         "max_tokens": 800,
                     *         "top_p": null,
                     *         "stop": null,
                     *         "seed": null,
                     *         "reasoning_effort": null,
                     *         "tool_choice": null,
                     *         "parallel_tool_calls": null,
                     *         "max_steps": 8,
                     *         "tools": [],
                     *         "topics": [
                     *           "billing",
                     *           "delivery"
                     *         ],
                     *         "prompt_template_id": null,
                     *         "fallback_model_ids": [],
                     *         "status": "active",
                     *         "type": "conversational",
                     *         "metadata": {},
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postAgentsByIdTry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "temperature": 0.9,
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "What does it cost?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TryAgent"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "text",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": null,
                     *         "versions": [
                     *           "0.1.0"
                     *         ],
                     *         "role": "user",
                     *         "content": "Delivery takes three to five working days.",
                     *         "attachments": [
                     *           {
                     *             "file_id": "fil_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "name": "invoice.pdf",
                     *             "media_type": "application/pdf",
                     *             "size": 48213
                     *           }
                     *         ],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "running",
                     *         "usage": null,
                     *         "tool_calls": [
                     *           {
                     *             "id": "call_abc",
                     *             "tool_id": null,
                     *             "name": "handbook",
                     *             "arguments": {},
                     *             "status": "completed",
                     *             "result": "Found 3 passages.",
                     *             "latency_ms": 38
                     *           }
                     *         ],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": null,
                     *         "agent_version": null,
                     *         "finish_reason": null,
                     *         "latency_ms": null,
                     *         "time_to_first_token_ms": null,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null,
                     *         "steps": [
                     *           {
                     *             "number": 3,
                     *             "parent": null,
                     *             "type": "model",
                     *             "name": "gpt-5-mini",
                     *             "status": "completed",
                     *             "start_ms": 4,
                     *             "duration_ms": 1790,
                     *             "error": null,
                     *             "provider": "openai",
                     *             "model_id": null,
                     *             "usage": null,
                     *             "time_to_first_token_ms": 410,
                     *             "finish_reason": "stop",
                     *             "attempts": 1,
                     *             "tool_id": null,
                     *             "tool_call_id": null,
                     *             "tool_call_ids": [],
                     *             "results": null,
                     *             "messages": null,
                     *             "omitted_messages": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TriedReply"];
                        /** @constant */
                        success: true;
                    };
                    /**
                     * @example {
                     *       "type": "text.delta",
                     *       "sequence": 2,
                     *       "delta": "Hello"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["TryEvent"];
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout_or_turn_timeout"];
        };
    };
    getAgentsByIdVersions: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description The page, starting at 1. */
                page?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "version": 3,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "created_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "snapshot": {
                     *             "name": "Support",
                     *             "description": null
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Version"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getAgentsByIdVersionsByVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
                /** @description From the list at `/api/agents/{id}/versions`. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": 3,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "created_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "snapshot": {
                     *           "name": "Support",
                     *           "description": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Version"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postAgentsByIdVersionsByVersionRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/agents`. */
                id: string;
                /** @description From the list at `/api/agents/{id}/versions`. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": null,
                     *         "model_id": null,
                     *         "temperature": null,
                     *         "max_tokens": null,
                     *         "top_p": null,
                     *         "stop": null,
                     *         "seed": null,
                     *         "reasoning_effort": null,
                     *         "tool_choice": null,
                     *         "parallel_tool_calls": null,
                     *         "max_steps": 8,
                     *         "tools": [],
                     *         "topics": [],
                     *         "prompt_template_id": null,
                     *         "fallback_model_ids": [],
                     *         "status": "active",
                     *         "type": "conversational",
                     *         "metadata": {},
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use_or_idempotency_in_progress"];
            412: components["responses"]["precondition_failed"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getAnalyticsConversations: {
        parameters: {
            query?: {
                /** @description Only conversations with this agent. */
                agent_id?: string;
                /** @description Up to this day, which is included (UTC). Left out: today. A timestamp counts as its UTC day. */
                end_date?: string;
                /** @description Include conversations of evaluations. */
                include_evaluations?: boolean;
                /** @description The steps of `timeline`. */
                interval?: "hour" | "day" | "week";
                /** @description From this day on (UTC). Left out: 30 days up to the last one. A timestamp counts as its UTC day. */
                start_date?: string;
                /** @description Only conversations of this user. */
                user_id?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "period": {
                     *           "start_date": "2026-01-01",
                     *           "end_date": "2026-01-31",
                     *           "interval": "day"
                     *         },
                     *         "conversations": {
                     *           "total": 240,
                     *           "active": 12,
                     *           "completed": 228
                     *         },
                     *         "messages": {
                     *           "total": 1920,
                     *           "user": 960,
                     *           "assistant": 960,
                     *           "average_per_conversation": 8
                     *         },
                     *         "users": {
                     *           "unique": 87
                     *         },
                     *         "latency_ms": {
                     *           "p50": 1840,
                     *           "p95": 4200,
                     *           "p99": 7900
                     *         },
                     *         "time_to_first_token_ms": {
                     *           "p50": 420,
                     *           "p95": 1100,
                     *           "p99": 2300
                     *         },
                     *         "tokens": {
                     *           "input": 779520,
                     *           "output": 61440
                     *         },
                     *         "cost": 2.37,
                     *         "feedback": {
                     *           "up": 41,
                     *           "down": 3,
                     *           "satisfaction_rate": 0.932
                     *         },
                     *         "errors": {
                     *           "total": 4,
                     *           "rate": 0.0042
                     *         },
                     *         "tools": [],
                     *         "by_agent": [],
                     *         "by_topic": [
                     *           {
                     *             "topic": "delivery",
                     *             "conversations": 96,
                     *             "messages": 310
                     *           }
                     *         ],
                     *         "timeline": [
                     *           {
                     *             "start": "2026-01-31T00:00:00Z",
                     *             "conversations": 8,
                     *             "messages": 64,
                     *             "tokens": 28032,
                     *             "cost": 0.079,
                     *             "errors": 0,
                     *             "latency_ms": {
                     *               "p50": 1720,
                     *               "p95": 3900,
                     *               "p99": 4100
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConversationAnalytics"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getApiTools: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by max_response_bytes. */
                max_response_bytes?: number;
                /** @description Filter by method. */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description Filter by requires_approval. */
                requires_approval?: boolean;
                /** @description Filter by response_path. */
                response_path?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "type" | "method" | "url" | "timeout_ms" | "response_path" | "max_response_bytes" | "requires_approval" | "created_at" | "updated_at";
                /** @description Filter by timeout_ms. */
                timeout_ms?: number;
                /** @description Filter by type. */
                type?: "http" | "mcp";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by url. */
                url?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "get_weather",
                     *           "description": "Tells the weather in a city.",
                     *           "type": "http",
                     *           "method": "GET",
                     *           "url": "https://api.example.com/weather/{city}",
                     *           "parameters": {
                     *             "type": "object",
                     *             "properties": {
                     *               "city": {
                     *                 "type": "string"
                     *               }
                     *             },
                     *             "required": [
                     *               "city"
                     *             ]
                     *           },
                     *           "headers": {},
                     *           "query": {},
                     *           "body": null,
                     *           "auth": {
                     *             "type": "bearer"
                     *           },
                     *           "timeout_ms": 10000,
                     *           "response_path": null,
                     *           "max_response_bytes": 1048576,
                     *           "requires_approval": false,
                     *           "tools": null,
                     *           "source": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiTool"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postApiTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "get_weather",
                 *       "description": "Tells the weather in a city.",
                 *       "method": "GET",
                 *       "url": "https://api.example.com/weather/{city}",
                 *       "parameters": {
                 *         "type": "object",
                 *         "properties": {
                 *           "city": {
                 *             "type": "string"
                 *           }
                 *         },
                 *         "required": [
                 *           "city"
                 *         ]
                 *       },
                 *       "auth": {
                 *         "type": "bearer",
                 *         "token": "your-token"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewApiTool"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "get_weather",
                     *         "description": "Tells the weather in a city.",
                     *         "type": "http",
                     *         "method": "GET",
                     *         "url": "https://api.example.com/weather/{city}",
                     *         "parameters": {
                     *           "type": "object",
                     *           "properties": {
                     *             "city": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "city"
                     *           ]
                     *         },
                     *         "headers": {},
                     *         "query": {},
                     *         "body": null,
                     *         "auth": {
                     *           "type": "bearer"
                     *         },
                     *         "timeout_ms": 10000,
                     *         "response_path": null,
                     *         "max_response_bytes": 1048576,
                     *         "requires_approval": false,
                     *         "tools": null,
                     *         "source": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getApiToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "get_weather",
                     *         "description": "Tells the weather in a city.",
                     *         "type": "http",
                     *         "method": "GET",
                     *         "url": "https://api.example.com/weather/{city}",
                     *         "parameters": {
                     *           "type": "object",
                     *           "properties": {
                     *             "city": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "city"
                     *           ]
                     *         },
                     *         "headers": {},
                     *         "query": {},
                     *         "body": null,
                     *         "auth": {
                     *           "type": "bearer"
                     *         },
                     *         "timeout_ms": 10000,
                     *         "response_path": null,
                     *         "max_response_bytes": 1048576,
                     *         "requires_approval": false,
                     *         "tools": null,
                     *         "source": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putApiToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Tells the weather in a city, today and tomorrow."
                 *     }
                 */
                "application/json": components["schemas"]["ApiToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "get_weather",
                     *         "description": "Tells the weather in a city.",
                     *         "type": "http",
                     *         "method": "GET",
                     *         "url": "https://api.example.com/weather/{city}",
                     *         "parameters": {
                     *           "type": "object",
                     *           "properties": {
                     *             "city": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "city"
                     *           ]
                     *         },
                     *         "headers": {},
                     *         "query": {},
                     *         "body": null,
                     *         "auth": {
                     *           "type": "bearer"
                     *         },
                     *         "timeout_ms": 10000,
                     *         "response_path": null,
                     *         "max_response_bytes": 1048576,
                     *         "requires_approval": false,
                     *         "tools": null,
                     *         "source": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteApiToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchApiToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Tells the weather in a city, today and tomorrow."
                 *     }
                 */
                "application/json": components["schemas"]["ApiToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "get_weather",
                     *         "description": "Tells the weather in a city.",
                     *         "type": "http",
                     *         "method": "GET",
                     *         "url": "https://api.example.com/weather/{city}",
                     *         "parameters": {
                     *           "type": "object",
                     *           "properties": {
                     *             "city": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "city"
                     *           ]
                     *         },
                     *         "headers": {},
                     *         "query": {},
                     *         "body": null,
                     *         "auth": {
                     *           "type": "bearer"
                     *         },
                     *         "timeout_ms": 10000,
                     *         "response_path": null,
                     *         "max_response_bytes": 1048576,
                     *         "requires_approval": false,
                     *         "tools": null,
                     *         "source": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postApiToolsByIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "arguments": {
                 *         "city": "Oslo"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiToolCall"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "ok": true,
                     *         "request": {
                     *           "method": "GET",
                     *           "url": "https://api.example.com/weather/Oslo",
                     *           "headers": {
                     *             "authorization": "Bearer •••"
                     *           }
                     *         },
                     *         "status": 200,
                     *         "headers": {
                     *           "content-type": "application/json"
                     *         },
                     *         "body": {
                     *           "temperature": 21
                     *         },
                     *         "latency_ms": 180
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiToolTest"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getApiToolsByIdTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": null,
                     *         "offered_at": null,
                     *         "has_changes": true,
                     *         "tools": [
                     *           {
                     *             "name": "Support",
                     *             "tool_name": null,
                     *             "description": null,
                     *             "parameters": null,
                     *             "enabled": true,
                     *             "requires_approval": true,
                     *             "change": null,
                     *             "offered": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServerTools"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postApiToolsByIdToolsAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": "5d41402abc4b2a76b9719d911017c592"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptMcpServerTools"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": null,
                     *         "offered_at": null,
                     *         "has_changes": true,
                     *         "tools": [
                     *           {
                     *             "name": "Support",
                     *             "tool_name": null,
                     *             "description": null,
                     *             "parameters": null,
                     *             "enabled": true,
                     *             "requires_approval": true,
                     *             "change": null,
                     *             "offered": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServerTools"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postApiToolsByIdToolsRefresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/api-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": null,
                     *         "offered_at": null,
                     *         "has_changes": true,
                     *         "tools": [
                     *           {
                     *             "name": "Support",
                     *             "tool_name": null,
                     *             "description": null,
                     *             "parameters": null,
                     *             "enabled": true,
                     *             "requires_approval": true,
                     *             "change": null,
                     *             "offered": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["McpServerTools"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postApiToolsImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://api.example.com/openapi.json",
                 *       "operations": [
                 *         "GET /weather/{city}"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiToolImport"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "created": [
                     *           {
                     *             "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "name": "get_weather",
                     *             "description": "Answers questions about orders.",
                     *             "type": "http",
                     *             "method": "GET",
                     *             "url": "https://api.example.com/weather/{city}",
                     *             "parameters": {},
                     *             "headers": {},
                     *             "query": {},
                     *             "body": null,
                     *             "auth": {
                     *               "type": "none"
                     *             },
                     *             "timeout_ms": 10000,
                     *             "response_path": null,
                     *             "max_response_bytes": 1048576,
                     *             "requires_approval": false,
                     *             "tools": null,
                     *             "source": null,
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           }
                     *         ],
                     *         "updated": [
                     *           {
                     *             "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "name": "get_weather",
                     *             "description": "Answers questions about orders.",
                     *             "type": "http",
                     *             "method": "GET",
                     *             "url": "https://api.example.com/weather/{city}",
                     *             "parameters": {},
                     *             "headers": {},
                     *             "query": {},
                     *             "body": null,
                     *             "auth": {
                     *               "type": "none"
                     *             },
                     *             "timeout_ms": 10000,
                     *             "response_path": null,
                     *             "max_response_bytes": 1048576,
                     *             "requires_approval": false,
                     *             "tools": null,
                     *             "source": null,
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           }
                     *         ],
                     *         "skipped": [
                     *           {
                     *             "operation": "text",
                     *             "reason": "text"
                     *           }
                     *         ],
                     *         "operations": [
                     *           {
                     *             "operation": "GET /weather/{city}",
                     *             "operation_id": null,
                     *             "name": "Support",
                     *             "description": "Answers questions about orders.",
                     *             "tool_id": null,
                     *             "auth": "text",
                     *             "requires_approval": true,
                     *             "notes": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "secrets_needed": [
                     *           {
                     *             "auth": "text",
                     *             "secret": "auth.token",
                     *             "tool_ids": [
                     *               "rag_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiToolImportResult"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "created": [
                     *           {
                     *             "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "name": "get_weather",
                     *             "description": "Answers questions about orders.",
                     *             "type": "http",
                     *             "method": "GET",
                     *             "url": "https://api.example.com/weather/{city}",
                     *             "parameters": {},
                     *             "headers": {},
                     *             "query": {},
                     *             "body": null,
                     *             "auth": {
                     *               "type": "none"
                     *             },
                     *             "timeout_ms": 10000,
                     *             "response_path": null,
                     *             "max_response_bytes": 1048576,
                     *             "requires_approval": false,
                     *             "tools": null,
                     *             "source": null,
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           }
                     *         ],
                     *         "updated": [
                     *           {
                     *             "id": "api_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "name": "get_weather",
                     *             "description": "Answers questions about orders.",
                     *             "type": "http",
                     *             "method": "GET",
                     *             "url": "https://api.example.com/weather/{city}",
                     *             "parameters": {},
                     *             "headers": {},
                     *             "query": {},
                     *             "body": null,
                     *             "auth": {
                     *               "type": "none"
                     *             },
                     *             "timeout_ms": 10000,
                     *             "response_path": null,
                     *             "max_response_bytes": 1048576,
                     *             "requires_approval": false,
                     *             "tools": null,
                     *             "source": null,
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           }
                     *         ],
                     *         "skipped": [
                     *           {
                     *             "operation": "text",
                     *             "reason": "text"
                     *           }
                     *         ],
                     *         "operations": [
                     *           {
                     *             "operation": "GET /weather/{city}",
                     *             "operation_id": null,
                     *             "name": "Support",
                     *             "description": "Answers questions about orders.",
                     *             "tool_id": null,
                     *             "auth": "text",
                     *             "requires_approval": true,
                     *             "notes": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "secrets_needed": [
                     *           {
                     *             "auth": "text",
                     *             "secret": "auth.token",
                     *             "tool_ids": [
                     *               "rag_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiToolImportResult"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getAudit: {
        parameters: {
            query?: {
                /** @description Filter by action. */
                action?: string;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description The last day, inclusive (UTC). A timestamp counts as its UTC day. */
                end_date?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by kind. */
                kind?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by request_id. */
                request_id?: string;
                /** @description Filter by resource_id. */
                resource_id?: string;
                /** @description Filter by role. */
                role?: "viewer" | "user" | "editor" | "admin" | "owner";
                /** @description The field to sort by. */
                sort?: "id" | "token_id" | "token_name" | "role" | "user_id" | "action" | "kind" | "resource_id" | "request_id" | "created_at";
                /** @description The first day (UTC). A timestamp counts as its UTC day. */
                start_date?: string;
                /** @description Filter by token_id. */
                token_id?: string;
                /** @description Filter by token_name. */
                token_name?: string;
                /** @description Filter by user_id. */
                user_id?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "aud_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "token_id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "token_name": "CI",
                     *           "role": "editor",
                     *           "user_id": null,
                     *           "action": "update",
                     *           "kind": "agent",
                     *           "resource_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "fields": [
                     *             "name"
                     *           ],
                     *           "request_id": "req_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "everywhere": true
                 *     }
                 */
                "application/json": components["schemas"]["SignOut"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Removes the session cookie. */
                    "Set-Cookie"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getAuthSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "role": "viewer",
                     *         "user_id": null,
                     *         "workspace": {
                     *           "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "default"
                     *         },
                     *         "token": {
                     *           "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "CI"
                     *         },
                     *         "session": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postAuthSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "parley_h8Kd…",
                 *       "remember": true
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The session cookie. */
                    "Set-Cookie"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "role": "viewer",
                     *         "user_id": null,
                     *         "workspace": {
                     *           "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "default"
                     *         },
                     *         "token": {
                     *           "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "CI"
                     *         },
                     *         "session": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Session"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["invalid_token"];
            403: components["responses"]["forbidden"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversations: {
        parameters: {
            query?: {
                /** @description Filter by agent_id. */
                agent_id?: string;
                /** @description Only if its replies cost at least this. US dollars. */
                cost_gte?: number;
                /** @description Only if its replies cost at most this. US dollars. */
                cost_lte?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by evaluation_id. */
                evaluation_id?: string;
                /** @description Only with, or only without a failed reply. */
                has_error?: boolean;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description `true`: only the caller's own, which have the `user_id` of the token, or none if it has none. Not those of evaluations. */
                mine?: boolean;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in title. */
                q?: string;
                /** @description Only with a reply that was rated so. */
                rating?: "up" | "down";
                /** @description Words that one message or the title contains, or the beginnings of them. Each conversation then has `matches`. New messages are found within seconds; of more than 10,000 matching messages, the newest count, and `message` says so. */
                search?: string;
                /** @description Filter by shared. */
                shared?: boolean;
                /** @description The field to sort by. */
                sort?: "id" | "agent_id" | "user_id" | "title" | "status" | "shared" | "evaluation_id" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "active" | "completed";
                /** @description Filter by title. */
                title?: string;
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by user_id. */
                user_id?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "user_id": "ada",
                     *           "title": null,
                     *           "status": "active",
                     *           "shared": false,
                     *           "metadata": {},
                     *           "evaluation_id": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedConversation"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *       "user_id": "ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewConversation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": "ada",
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "messages": [
                     *           {
                     *             "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *             "versions": [
                     *               "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *             ],
                     *             "role": "assistant",
                     *             "content": "Delivery takes three to five working days [1].",
                     *             "attachments": [],
                     *             "timestamp": "2026-01-31T12:00:00Z",
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z",
                     *             "status": "completed",
                     *             "usage": {
                     *               "input_tokens": 812,
                     *               "output_tokens": 64,
                     *               "total_tokens": 876,
                     *               "cost": 0.00247
                     *             },
                     *             "tool_calls": [],
                     *             "citations": [
                     *               {
                     *                 "index": 1,
                     *                 "tool_call_id": "call_abc",
                     *                 "source": "delivery.pdf",
                     *                 "page": 2,
                     *                 "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "start": 1024,
                     *                 "end": 1066,
                     *                 "quote": "three to five working days"
                     *               }
                     *             ],
                     *             "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "agent_version": 3,
                     *             "finish_reason": "stop",
                     *             "latency_ms": 1840,
                     *             "time_to_first_token_ms": 420,
                     *             "feedback": null,
                     *             "error": null,
                     *             "code": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConversationWithMessages"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": "ada",
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "messages": [
                     *           {
                     *             "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *             "versions": [
                     *               "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *             ],
                     *             "role": "assistant",
                     *             "content": "Delivery takes three to five working days [1].",
                     *             "attachments": [],
                     *             "timestamp": "2026-01-31T12:00:00Z",
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z",
                     *             "status": "completed",
                     *             "usage": {
                     *               "input_tokens": 812,
                     *               "output_tokens": 64,
                     *               "total_tokens": 876,
                     *               "cost": 0.00247
                     *             },
                     *             "tool_calls": [],
                     *             "citations": [
                     *               {
                     *                 "index": 1,
                     *                 "tool_call_id": "call_abc",
                     *                 "source": "delivery.pdf",
                     *                 "page": 2,
                     *                 "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "start": 1024,
                     *                 "end": 1066,
                     *                 "quote": "three to five working days"
                     *               }
                     *             ],
                     *             "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "agent_version": 3,
                     *             "finish_reason": "stop",
                     *             "latency_ms": 1840,
                     *             "time_to_first_token_ms": 420,
                     *             "feedback": null,
                     *             "error": null,
                     *             "code": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConversationWithMessages"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putConversationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "About the invoice"
                 *     }
                 */
                "application/json": components["schemas"]["ConversationChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": "ada",
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_conversation_completed"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteConversationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchConversationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "About the invoice"
                 *     }
                 */
                "application/json": components["schemas"]["ConversationChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": "ada",
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_conversation_completed"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdComplete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": null,
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversationsByIdMessages: {
        parameters: {
            query?: {
                /** @description The id of a message: only those before it, and the last ones first; `page` 2 is further back. */
                before?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description The page, starting at 1. */
                page?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *           "versions": [
                     *             "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *           ],
                     *           "role": "assistant",
                     *           "content": "Delivery takes three to five working days [1].",
                     *           "attachments": [],
                     *           "timestamp": "2026-01-31T12:00:00Z",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z",
                     *           "status": "completed",
                     *           "usage": {
                     *             "input_tokens": 812,
                     *             "output_tokens": 64,
                     *             "total_tokens": 876,
                     *             "cost": 0.00247
                     *           },
                     *           "tool_calls": [],
                     *           "citations": [
                     *             {
                     *               "index": 1,
                     *               "tool_call_id": "call_abc",
                     *               "source": "delivery.pdf",
                     *               "page": 2,
                     *               "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "start": 1024,
                     *               "end": 1066,
                     *               "quote": "three to five working days"
                     *             }
                     *           ],
                     *           "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "agent_version": 3,
                     *           "finish_reason": "stop",
                     *           "latency_ms": 1840,
                     *           "time_to_first_token_ms": 420,
                     *           "feedback": null,
                     *           "error": null,
                     *           "code": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdMessages: {
        parameters: {
            query?: {
                /** @description The AI SDK's UI message stream instead of our events. */
                protocol?: "ai-sdk";
            };
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "What does it cost?",
                 *       "stream": false
                 *     }
                 */
                "application/json": components["schemas"]["SendMessage"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `v1` with `protocol=ai-sdk`. */
                    "X-Vercel-AI-UI-Message-Stream"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                    /**
                     * @example {
                     *       "type": "text.delta",
                     *       "sequence": 2,
                     *       "delta": "Hello"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MessageEvent"];
                };
            };
            400: components["responses"]["unsupported_input_or_unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_conversation_completed_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout_or_turn_timeout"];
        };
    };
    getConversationsByIdMessagesByMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdMessagesByMessageActivate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "user_id": null,
                     *         "title": null,
                     *         "status": "active",
                     *         "shared": false,
                     *         "metadata": {},
                     *         "evaluation_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "messages": [
                     *           {
                     *             "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *             "versions": [
                     *               "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *             ],
                     *             "role": "assistant",
                     *             "content": "Delivery takes three to five working days [1].",
                     *             "attachments": [],
                     *             "timestamp": "2026-01-31T12:00:00Z",
                     *             "created_at": "2026-01-31T12:00:00Z",
                     *             "updated_at": "2026-01-31T12:00:00Z",
                     *             "status": "completed",
                     *             "usage": {
                     *               "input_tokens": 812,
                     *               "output_tokens": 64,
                     *               "total_tokens": 876,
                     *               "cost": 0.00247
                     *             },
                     *             "tool_calls": [],
                     *             "citations": [
                     *               {
                     *                 "index": 1,
                     *                 "tool_call_id": "call_abc",
                     *                 "source": "delivery.pdf",
                     *                 "page": 2,
                     *                 "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                 "start": 1024,
                     *                 "end": 1066,
                     *                 "quote": "three to five working days"
                     *               }
                     *             ],
                     *             "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "agent_version": 3,
                     *             "finish_reason": "stop",
                     *             "latency_ms": 1840,
                     *             "time_to_first_token_ms": 420,
                     *             "feedback": null,
                     *             "error": null,
                     *             "code": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConversationWithMessages"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdMessagesByMessageApprovals: {
        parameters: {
            query?: {
                /** @description The AI SDK's UI message stream instead of our events. */
                protocol?: "ai-sdk";
            };
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tool_call_id": "call_abc",
                 *       "approved": true
                 *     }
                 */
                "application/json": components["schemas"]["DecideToolCall"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `v1` with `protocol=ai-sdk`. */
                    "X-Vercel-AI-UI-Message-Stream"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                    /**
                     * @example {
                     *       "type": "text.delta",
                     *       "sequence": 2,
                     *       "delta": "Hello"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MessageEvent"];
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_running_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout"];
        };
    };
    postConversationsByIdMessagesByMessageCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdMessagesByMessageFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": "up",
                 *       "comment": "Just what I needed."
                 *     }
                 */
                "application/json": components["schemas"]["GiveFeedback"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postConversationsByIdMessagesByMessageRegenerate: {
        parameters: {
            query?: {
                /** @description The AI SDK's UI message stream instead of our events. */
                protocol?: "ai-sdk";
            };
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "stream": false
                 *     }
                 */
                "application/json": components["schemas"]["RegenerateMessage"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `v1` with `protocol=ai-sdk`. */
                    "X-Vercel-AI-UI-Message-Stream"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "parent_message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bb",
                     *         "versions": [
                     *           "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "role": "assistant",
                     *         "content": "Delivery takes three to five working days [1].",
                     *         "attachments": [],
                     *         "timestamp": "2026-01-31T12:00:00Z",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "status": "completed",
                     *         "usage": {
                     *           "input_tokens": 812,
                     *           "output_tokens": 64,
                     *           "total_tokens": 876,
                     *           "cost": 0.00247
                     *         },
                     *         "tool_calls": [],
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "tool_call_id": "call_abc",
                     *             "source": "delivery.pdf",
                     *             "page": 2,
                     *             "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *             "start": 1024,
                     *             "end": 1066,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "agent_version": 3,
                     *         "finish_reason": "stop",
                     *         "latency_ms": 1840,
                     *         "time_to_first_token_ms": 420,
                     *         "feedback": null,
                     *         "error": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"];
                        /** @constant */
                        success: true;
                    };
                    /**
                     * @example {
                     *       "type": "text.delta",
                     *       "sequence": 2,
                     *       "delta": "Hello"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MessageEvent"];
                };
            };
            400: components["responses"]["unsupported_input_or_unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conversation_busy_or_conversation_completed_or_idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout_or_turn_timeout"];
        };
    };
    getConversationsByIdMessagesByMessageStream: {
        parameters: {
            query?: {
                /** @description Only events after this number, like `Last-Event-ID`. */
                after?: number;
                /** @description The AI SDK's UI message stream instead of our events. */
                protocol?: "ai-sdk";
            };
            header?: {
                /** @description Only events after this number. */
                "Last-Event-ID"?: string;
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `v1` with `protocol=ai-sdk`. */
                    "X-Vercel-AI-UI-Message-Stream"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "text.delta",
                     *       "sequence": 2,
                     *       "delta": "Hello"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MessageEvent"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversationsByIdMessagesByMessageTrace: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
                /** @description From the list at `/api/conversations/{id}/messages`. */
                message: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "running",
                     *         "trace_id": null,
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "duration_ms": null,
                     *         "time_to_first_token_ms": null,
                     *         "usage": null,
                     *         "steps": [
                     *           {
                     *             "number": 3,
                     *             "parent": null,
                     *             "type": "model",
                     *             "name": "gpt-5-mini",
                     *             "status": "completed",
                     *             "start_ms": 4,
                     *             "duration_ms": 1790,
                     *             "error": null,
                     *             "provider": "openai",
                     *             "model_id": null,
                     *             "usage": null,
                     *             "time_to_first_token_ms": 410,
                     *             "finish_reason": "stop",
                     *             "attempts": 1,
                     *             "tool_id": null,
                     *             "tool_call_id": null,
                     *             "tool_call_ids": [],
                     *             "results": null,
                     *             "messages": null,
                     *             "omitted_messages": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Trace"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversationsByIdTotals: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/conversations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messages": {
                     *           "total": 1,
                     *           "user": 1,
                     *           "assistant": 1
                     *         },
                     *         "tokens": {
                     *           "input": 1,
                     *           "output": 1
                     *         },
                     *         "cost": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConversationTotals"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getConversationsExport: {
        parameters: {
            query?: {
                /** @description Filter by agent_id. */
                agent_id?: string;
                /** @description Only if its replies cost at least this. US dollars. */
                cost_gte?: number;
                /** @description Only if its replies cost at most this. US dollars. */
                cost_lte?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by evaluation_id. */
                evaluation_id?: string;
                /** @description Only with, or only without a failed reply. */
                has_error?: boolean;
                /** @description Filter by id. */
                id?: string;
                /** @description `true`: only the caller's own, which have the `user_id` of the token, or none if it has none. Not those of evaluations. */
                mine?: boolean;
                /** @description Words to find in title. */
                q?: string;
                /** @description Only with a reply that was rated so. */
                rating?: "up" | "down";
                /** @description Words that one message or the title contains, or the beginnings of them. Each conversation then has `matches`. New messages are found within seconds; of more than 10,000 matching messages, the newest count, and `message` says so. */
                search?: string;
                /** @description Filter by shared. */
                shared?: boolean;
                /** @description Filter by status. */
                status?: "active" | "completed";
                /** @description Filter by title. */
                title?: string;
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by user_id. */
                user_id?: string;
            };
            header?: {
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"cnv_01k9z8q4m6e3v7t2w5x8y1a4bc","agent_id":"agt_01k9z8q4m6e3v7t2w5x8y1a4bc","user_id":null,"title":null,"status":"active","shared":false,"metadata":{},"evaluation_id":null,"created_at":"2026-01-31T12:00:00Z","updated_at":"2026-01-31T12:00:00Z","messages":[{"id":"msg_01k9z8q4m6e3v7t2w5x8y1a4bc","conversation_id":"cnv_01k9z8q4m6e3v7t2w5x8y1a4bc","parent_message_id":"msg_01k9z8q4m6e3v7t2w5x8y1a4bb","versions":["msg_01k9z8q4m6e3v7t2w5x8y1a4bc"],"role":"assistant","content":"Delivery takes three to five working days [1].","attachments":[],"timestamp":"2026-01-31T12:00:00Z","created_at":"2026-01-31T12:00:00Z","updated_at":"2026-01-31T12:00:00Z","status":"completed","usage":{"input_tokens":812,"output_tokens":64,"total_tokens":876,"cost":0.00247},"tool_calls":[],"citations":[{"index":1,"tool_call_id":"call_abc","source":"delivery.pdf","page":2,"document_id":"doc_01k9z8q4m6e3v7t2w5x8y1a4bc","chunk_id":"idx_01k9z8q4m6e3v7t2w5x8y1a4bc","start":1024,"end":1066,"quote":"three to five working days"}],"model_id":"mdl_01k9z8q4m6e3v7t2w5x8y1a4bc","agent_version":3,"finish_reason":"stop","latency_ms":1840,"time_to_first_token_ms":420,"feedback":null,"error":null,"code":null}]} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getEvaluations: {
        parameters: {
            query?: {
                /** @description Filter by concurrency. */
                concurrency?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by pass_threshold. */
                pass_threshold?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "type" | "target_id" | "test_case_count" | "concurrency" | "pass_threshold" | "created_at" | "updated_at";
                /** @description Filter by target_id. */
                target_id?: string;
                /** @description Filter by test_case_count. */
                test_case_count?: number;
                /** @description Filter by type. */
                type?: "agent" | "rag_tool" | "retrieval_tool" | "model";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Support answers",
                     *           "description": null,
                     *           "type": "agent",
                     *           "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "test_case_count": 1,
                     *           "scorers": [
                     *             {
                     *               "type": "similarity"
                     *             },
                     *             {
                     *               "type": "latency",
                     *               "config": {
                     *                 "max_ms": 5000
                     *               }
                     *             }
                     *           ],
                     *           "concurrency": 4,
                     *           "pass_threshold": 1,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z",
                     *           "recent_runs": [
                     *             {
                     *               "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "status": "completed",
                     *               "pass_rate": 0.9,
                     *               "verdict": "failed",
                     *               "created_at": "2026-01-31T12:00:00Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationListItem"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postEvaluations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support answers",
                 *       "type": "agent",
                 *       "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *       "test_cases": [
                 *         {
                 *           "input": "How long does delivery take?",
                 *           "expected_output": "Three to five working days."
                 *         }
                 *       ],
                 *       "scorers": [
                 *         {
                 *           "type": "similarity"
                 *         },
                 *         {
                 *           "type": "latency",
                 *           "config": {
                 *             "max_ms": 5000
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewEvaluation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support answers",
                     *         "description": null,
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "test_cases": [
                     *           {
                     *             "input": "How long does delivery take?",
                     *             "expected_output": "Three to five working days."
                     *           }
                     *         ],
                     *         "test_case_count": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           },
                     *           {
                     *             "type": "latency",
                     *             "config": {
                     *               "max_ms": 5000
                     *             }
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Evaluation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getEvaluationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support answers",
                     *         "description": null,
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "test_cases": [
                     *           {
                     *             "input": "How long does delivery take?",
                     *             "expected_output": "Three to five working days."
                     *           }
                     *         ],
                     *         "test_case_count": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           },
                     *           {
                     *             "type": "latency",
                     *             "config": {
                     *               "max_ms": 5000
                     *             }
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Evaluation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putEvaluationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "concurrency": 8
                 *     }
                 */
                "application/json": components["schemas"]["EvaluationChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support answers",
                     *         "description": null,
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "test_cases": [
                     *           {
                     *             "input": "How long does delivery take?",
                     *             "expected_output": "Three to five working days."
                     *           }
                     *         ],
                     *         "test_case_count": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           },
                     *           {
                     *             "type": "latency",
                     *             "config": {
                     *               "max_ms": 5000
                     *             }
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Evaluation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteEvaluationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchEvaluationsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "concurrency": 8
                 *     }
                 */
                "application/json": components["schemas"]["EvaluationChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support answers",
                     *         "description": null,
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "test_cases": [
                     *           {
                     *             "input": "How long does delivery take?",
                     *             "expected_output": "Three to five working days."
                     *           }
                     *         ],
                     *         "test_case_count": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           },
                     *           {
                     *             "type": "latency",
                     *             "config": {
                     *               "max_ms": 5000
                     *             }
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Evaluation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getEvaluationsByIdResults: {
        parameters: {
            query?: {
                /** @description An earlier run of the same evaluation. */
                compare_to?: string;
                /** @description `csv` and `jsonl` are files with all results. */
                format?: "json" | "csv" | "jsonl";
                /** @description Rows per page. */
                limit?: number;
                /** @description Only cases with this outcome. */
                outcome?: "passed" | "failed" | "error";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Default: the newest run. */
                run_id?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The name of the file, for `csv` and `jsonl`. */
                    "Content-Disposition"?: string;
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "run": {
                     *           "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "status": "running",
                     *           "progress": {
                     *             "done": 12,
                     *             "total": 20
                     *           },
                     *           "type": "agent",
                     *           "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "target_name": "Support",
                     *           "target_version": 3,
                     *           "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "evaluation_version": 1,
                     *           "scorers": [
                     *             {
                     *               "type": "similarity"
                     *             }
                     *           ],
                     *           "concurrency": 4,
                     *           "pass_threshold": 1,
                     *           "summary": null,
                     *           "error": null,
                     *           "started_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "started_at": "2026-01-31T12:00:00Z",
                     *           "finished_at": null,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "summary": {
                     *           "total": 20,
                     *           "passed": 18,
                     *           "failed": 2,
                     *           "errors": 0,
                     *           "pass_rate": 0.9,
                     *           "pass_rate_ci95": [
                     *             0.699,
                     *             0.972
                     *           ],
                     *           "mean_scores": {
                     *             "similarity": 0.91
                     *           },
                     *           "latency_ms": {
                     *             "p50": 812,
                     *             "p95": 1960
                     *           },
                     *           "tokens": 16240,
                     *           "cost": 0.0487,
                     *           "judge_tokens": 0,
                     *           "judge_cost": 0,
                     *           "verdict": "failed"
                     *         },
                     *         "results": [
                     *           {
                     *             "case": 0,
                     *             "input": "How long does delivery take?",
                     *             "expected_output": "Three to five working days.",
                     *             "metadata": {},
                     *             "actual_output": "Delivery takes three to five working days.",
                     *             "passed": true,
                     *             "scores": [
                     *               {
                     *                 "scorer": "similarity",
                     *                 "score": 0.93,
                     *                 "passed": true
                     *               }
                     *             ],
                     *             "latency_ms": 812,
                     *             "tokens": 876,
                     *             "cost": 0.00247
                     *           }
                     *         ]
                     *       },
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationResults"];
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                    /** @example {"case":0,"input":"How long does delivery take?","expected_output":"Three to five working days.","metadata":{},"actual_output":"Delivery takes three to five working days.","passed":true,"scores":[{"scorer":"similarity","score":0.93,"passed":true}],"latency_ms":812,"tokens":876,"cost":0.00247} */
                    "application/x-ndjson": string;
                    /**
                     * @example case,input,expected_output,actual_output,passed,error,latency_ms,tokens,cost,conversation_id,similarity_score,similarity_passed,similarity_reason
                     *     0,Where is my parcel?,On its way.,It is on its way.,true,,812,345,0.0021,,0.93,true,
                     */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postEvaluationsByIdRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "running",
                     *         "progress": {
                     *           "done": 12,
                     *           "total": 20
                     *         },
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "target_name": "Support",
                     *         "target_version": 3,
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_version": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "summary": null,
                     *         "error": null,
                     *         "started_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "finished_at": null,
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationRun"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_running_or_idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getEvaluationsByIdRuns: {
        parameters: {
            query?: {
                /** @description Filter by concurrency. */
                concurrency?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by error. */
                error?: string;
                /** @description Filter by evaluation_id. */
                evaluation_id?: string;
                /** @description Filter by evaluation_version. */
                evaluation_version?: number;
                /** @description Filter by finished_at. */
                finished_at?: string;
                /** @description Only if finished_at is not before this. A date counts as its whole UTC day. */
                finished_at_gte?: string;
                /** @description Only if finished_at is not after this. A date counts as its whole UTC day. */
                finished_at_lte?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by pass_threshold. */
                pass_threshold?: number;
                /** @description Words to find. These resources have neither name nor description, so nothing matches. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "evaluation_id" | "status" | "type" | "target_id" | "target_version" | "evaluation_version" | "concurrency" | "pass_threshold" | "error" | "started_by" | "created_at" | "started_at" | "finished_at" | "updated_at";
                /** @description Filter by started_at. */
                started_at?: string;
                /** @description Only if started_at is not before this. A date counts as its whole UTC day. */
                started_at_gte?: string;
                /** @description Only if started_at is not after this. A date counts as its whole UTC day. */
                started_at_lte?: string;
                /** @description Filter by started_by. */
                started_by?: string;
                /** @description Filter by status. */
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description Filter by target_id. */
                target_id?: string;
                /** @description Filter by target_version. */
                target_version?: number;
                /** @description Filter by type. */
                type?: "agent" | "rag_tool" | "retrieval_tool" | "model";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "status": "running",
                     *           "progress": {
                     *             "done": 12,
                     *             "total": 20
                     *           },
                     *           "type": "agent",
                     *           "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "target_name": "Support",
                     *           "target_version": 3,
                     *           "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "evaluation_version": 1,
                     *           "scorers": [
                     *             {
                     *               "type": "similarity"
                     *             }
                     *           ],
                     *           "concurrency": 4,
                     *           "pass_threshold": 1,
                     *           "summary": null,
                     *           "error": null,
                     *           "started_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "started_at": "2026-01-31T12:00:00Z",
                     *           "finished_at": null,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationRun"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getEvaluationsByIdRunsByRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
                /** @description From the list at `/api/evaluations/{id}/runs`. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "running",
                     *         "progress": {
                     *           "done": 12,
                     *           "total": 20
                     *         },
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "target_name": "Support",
                     *         "target_version": 3,
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_version": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "summary": null,
                     *         "error": null,
                     *         "started_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "finished_at": null,
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationRun"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postEvaluationsByIdRunsByRunCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
                /** @description From the list at `/api/evaluations/{id}/runs`. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "running",
                     *         "progress": {
                     *           "done": 12,
                     *           "total": 20
                     *         },
                     *         "type": "agent",
                     *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "target_name": "Support",
                     *         "target_version": 3,
                     *         "model_id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "evaluation_version": 1,
                     *         "scorers": [
                     *           {
                     *             "type": "similarity"
                     *           }
                     *         ],
                     *         "concurrency": 4,
                     *         "pass_threshold": 1,
                     *         "summary": null,
                     *         "error": null,
                     *         "started_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "finished_at": null,
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EvaluationRun"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postEvaluationsByIdTestCasesFromMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *       "message_id": "msg_01k9z8q4m6e3v7t2w5x8y1a4bc"
                 *     }
                 */
                "application/json": components["schemas"]["TestCaseFromMessage"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "case": 20,
                     *         "input": "How long does delivery take?",
                     *         "expected_output": "Three to five working days.",
                     *         "test_case_count": 21
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AddedTestCase"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postEvaluationsByIdTestCasesImport: {
        parameters: {
            query?: {
                /** @description Whether to add the cases or to replace the existing ones. */
                mode?: "append" | "replace";
            };
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/evaluations`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "csv",
                 *       "content": "input,expected_output\nWhat is the capital of France?,Paris\n"
                 *     }
                 */
                "application/json": components["schemas"]["ImportTestCases"];
                /** @example {"input":"How long does delivery take?"} */
                "application/x-ndjson": string;
                /**
                 * @example input,expected_output
                 *     What is the capital of France?,Paris
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "imported": 1,
                     *         "test_case_count": 21
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportedTestCases"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "(the file)"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadFile"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "fil_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "invoice.pdf",
                     *         "media_type": "application/pdf",
                     *         "size": 48213,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "created_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["File"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unsupported_file_type_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["file_too_large_or_payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getFilesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/files`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "fil_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "invoice.pdf",
                     *         "media_type": "application/pdf",
                     *         "size": 48213,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "created_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["File"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteFilesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/files`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getFilesByIdContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/files`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The name of the file. Images are shown, other files are downloaded. */
                    "Content-Disposition"?: string;
                    /** @description Keeps browsers from running the file. */
                    "Content-Security-Policy"?: string;
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the file) */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "version": "0.1.0",
                     *       "database": "connected",
                     *       "vector_db": "connected"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            /** @description A component does not respond. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "version": "0.1.0",
                     *       "database": "connected",
                     *       "vector_db": "connected"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getHealthLive: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Live"];
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getKnowledgeSources: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by last_sync. */
                last_sync?: string;
                /** @description Only if last_sync is not before this. A date counts as its whole UTC day. */
                last_sync_gte?: string;
                /** @description Only if last_sync is not after this. A date counts as its whole UTC day. */
                last_sync_lte?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "type" | "status" | "status_message" | "last_sync" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "pending" | "syncing" | "active" | "error";
                /** @description Filter by status_message. */
                status_message?: string;
                /** @description Filter by type. */
                type?: "file" | "text" | "web" | "directory";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Handbook",
                     *           "description": null,
                     *           "type": "file",
                     *           "status": "pending",
                     *           "status_message": null,
                     *           "last_sync": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSourceListItem"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postKnowledgeSources: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook",
                 *       "type": "file",
                 *       "configuration": {
                 *         "file_types": [
                 *           "pdf",
                 *           "txt",
                 *           "md"
                 *         ],
                 *         "max_file_size": 10485760
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewKnowledgeSource"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": null,
                     *         "type": "file",
                     *         "configuration": {
                     *           "file_types": [
                     *             "pdf",
                     *             "txt",
                     *             "md"
                     *           ],
                     *           "max_file_size": 10485760
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "last_sync": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSource"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": null,
                     *         "type": "file",
                     *         "configuration": {
                     *           "file_types": [
                     *             "pdf",
                     *             "txt",
                     *             "md"
                     *           ],
                     *           "max_file_size": 10485760
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "last_sync": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSource"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putKnowledgeSourcesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "A better name"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgeSourceChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": null,
                     *         "type": "file",
                     *         "configuration": {
                     *           "file_types": [
                     *             "pdf",
                     *             "txt",
                     *             "md"
                     *           ],
                     *           "max_file_size": 10485760
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "last_sync": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSource"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteKnowledgeSourcesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchKnowledgeSourcesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "A better name"
                 *     }
                 */
                "application/json": components["schemas"]["KnowledgeSourceChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": null,
                     *         "type": "file",
                     *         "configuration": {
                     *           "file_types": [
                     *             "pdf",
                     *             "txt",
                     *             "md"
                     *           ],
                     *           "max_file_size": 10485760
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "last_sync": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSource"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdDocuments: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by error. */
                error?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by media_type. */
                media_type?: string;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by pages. */
                pages?: number;
                /** @description Words to find in name. */
                q?: string;
                /** @description Filter by sha256. */
                sha256?: string;
                /** @description Filter by size. */
                size?: number;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "media_type" | "size" | "sha256" | "status" | "error" | "pages" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "pending" | "indexed" | "failed";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "delivery.pdf",
                     *           "media_type": "application/pdf",
                     *           "size": 48213,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "status": "indexed",
                     *           "error": null,
                     *           "pages": 4,
                     *           "metadata": {},
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postKnowledgeSourcesByIdDocuments: {
        parameters: {
            query?: {
                /** @description `false`: only stores the files. The next sync reads them. */
                sync?: boolean;
            };
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": [
                 *         "(the file)"
                 *       ],
                 *       "metadata": {
                 *         "year": 2024
                 *       }
                 *     }
                 */
                "multipart/form-data": {
                    /** @description One or more files. */
                    file: string[];
                    /** @description Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them. */
                    metadata?: {
                        [key: string]: string | (number | boolean | null) | (string | number | boolean | null)[];
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "delivery.pdf",
                     *           "media_type": "application/pdf",
                     *           "size": 48213,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "status": "indexed",
                     *           "error": null,
                     *           "pages": 4,
                     *           "metadata": {},
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unsupported_file_type_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["file_too_large_or_payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdDocumentsByDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "delivery.pdf",
                     *         "media_type": "application/pdf",
                     *         "size": 48213,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "status": "indexed",
                     *         "error": null,
                     *         "pages": 4,
                     *         "metadata": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putKnowledgeSourcesByIdDocumentsByDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "year": 2024,
                 *         "department": "sales"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDocument"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "delivery.pdf",
                     *         "media_type": "application/pdf",
                     *         "size": 48213,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "status": "indexed",
                     *         "error": null,
                     *         "pages": 4,
                     *         "metadata": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteKnowledgeSourcesByIdDocumentsByDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdDocumentsByDocumentChunks: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description The page, starting at 1. */
                page?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "position": 7,
                     *           "content": "Delivery takes three to five working days.",
                     *           "start": 1024,
                     *           "end": 1066,
                     *           "page": 2,
                     *           "headings": [
                     *             "Orders"
                     *           ],
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DocumentChunk"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdDocumentsByDocumentContent: {
        parameters: {
            query?: {
                /** @description The character after the last one. Default: the end of the text. */
                end?: number;
                /** @description The first character. Default: the beginning of the text. */
                start?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "delivery.pdf",
                     *         "start": 1024,
                     *         "end": 1066,
                     *         "length": 48213,
                     *         "text": "Delivery takes three to five working days.",
                     *         "pages": [],
                     *         "headings": [],
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DocumentContent"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdDocumentsByDocumentFile: {
        parameters: {
            query?: {
                /** @description `inline`: a browser shows the file instead of saving it, if it is a PDF. */
                disposition?: "attachment" | "inline";
            };
            header?: {
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the file) */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postKnowledgeSourcesByIdDocumentsByDocumentSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources/{id}/documents`. */
                document: string;
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "delivery.pdf",
                     *         "media_type": "application/pdf",
                     *         "size": 48213,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "status": "indexed",
                     *         "error": null,
                     *         "pages": 4,
                     *         "metadata": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeDocument"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postKnowledgeSourcesByIdSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "syn_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "completed",
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "finished_at": "2026-01-31T12:00:00Z",
                     *         "documents": {
                     *           "total": 12,
                     *           "added": 1,
                     *           "updated": 0,
                     *           "removed": 0,
                     *           "unchanged": 11,
                     *           "failed": 0
                     *         },
                     *         "chunks": {
                     *           "embedded": 28,
                     *           "reused": 312,
                     *           "removed": 0
                     *         },
                     *         "reading": [],
                     *         "error": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSync"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_running_or_idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdSyncs: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by error. */
                error?: string;
                /** @description Filter by finished_at. */
                finished_at?: string;
                /** @description Only if finished_at is not before this. A date counts as its whole UTC day. */
                finished_at_gte?: string;
                /** @description Only if finished_at is not after this. A date counts as its whole UTC day. */
                finished_at_lte?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by knowledge_source_id. */
                knowledge_source_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find. These resources have neither name nor description, so nothing matches. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "knowledge_source_id" | "status" | "started_at" | "finished_at" | "error" | "created_at" | "updated_at";
                /** @description Filter by started_at. */
                started_at?: string;
                /** @description Only if started_at is not before this. A date counts as its whole UTC day. */
                started_at_gte?: string;
                /** @description Only if started_at is not after this. A date counts as its whole UTC day. */
                started_at_lte?: string;
                /** @description Filter by status. */
                status?: "running" | "completed" | "failed";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "syn_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "status": "completed",
                     *           "started_at": "2026-01-31T12:00:00Z",
                     *           "finished_at": "2026-01-31T12:00:00Z",
                     *           "documents": {
                     *             "total": 12,
                     *             "added": 1,
                     *             "updated": 0,
                     *             "removed": 0,
                     *             "unchanged": 11,
                     *             "failed": 0
                     *           },
                     *           "chunks": {
                     *             "embedded": 28,
                     *             "reused": 312,
                     *             "removed": 0
                     *           },
                     *           "reading": [],
                     *           "error": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSync"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getKnowledgeSourcesByIdSyncsBySync: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/knowledge-sources`. */
                id: string;
                /** @description From the list at `/api/knowledge-sources/{id}/syncs`. */
                sync: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "syn_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "status": "completed",
                     *         "started_at": "2026-01-31T12:00:00Z",
                     *         "finished_at": "2026-01-31T12:00:00Z",
                     *         "documents": {
                     *           "total": 12,
                     *           "added": 1,
                     *           "updated": 0,
                     *           "removed": 0,
                     *           "unchanged": 11,
                     *           "failed": 0
                     *         },
                     *         "chunks": {
                     *           "embedded": 28,
                     *           "reused": 312,
                     *           "removed": 0
                     *         },
                     *         "reading": [],
                     *         "error": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KnowledgeSync"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postMcp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description The version that was negotiated. */
                "MCP-Protocol-Version"?: string;
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["McpMessage"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "tools": []
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["McpAnswer"];
                };
            };
            /** @description A notification was received. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "role": "editor",
                     *         "user_id": null,
                     *         "workspace": {
                     *           "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "default"
                     *         },
                     *         "token": {
                     *           "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "CI"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Me"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example parley_jobs{status="queued"} 0 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getModels: {
        parameters: {
            query?: {
                /** @description Filter by api_key_hint. */
                api_key_hint?: string;
                /** @description Filter by context_window. */
                context_window?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by endpoint. */
                endpoint?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by is_default. */
                is_default?: boolean;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by model_id. */
                model_id?: string;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by provider. */
                provider?: string;
                /** @description Words to find in name. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "provider" | "model_id" | "type" | "api_key_hint" | "endpoint" | "context_window" | "is_default" | "created_at" | "updated_at";
                /** @description Filter by type. */
                type?: "chat" | "embedding" | "rerank";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "GPT-4o mini",
                     *           "provider": "openai",
                     *           "model_id": "gpt-4o-mini",
                     *           "type": "chat",
                     *           "api_key_set": true,
                     *           "api_key_hint": null,
                     *           "endpoint": null,
                     *           "pricing": {
                     *             "input": 0.00015,
                     *             "output": 0.0006
                     *           },
                     *           "context_window": 128000,
                     *           "input_modalities": [
                     *             "text",
                     *             "image"
                     *           ],
                     *           "is_default": false,
                     *           "options": {},
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "GPT-4o mini",
                 *       "provider": "openai",
                 *       "model_id": "gpt-4o-mini",
                 *       "api_key": "sk-your-key",
                 *       "pricing": {
                 *         "input": 0.00015,
                 *         "output": 0.0006
                 *       },
                 *       "context_window": 128000
                 *     }
                 */
                "application/json": components["schemas"]["NewModel"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "GPT-4o mini",
                     *         "provider": "openai",
                     *         "model_id": "gpt-4o-mini",
                     *         "type": "chat",
                     *         "api_key_set": true,
                     *         "api_key_hint": null,
                     *         "endpoint": null,
                     *         "pricing": {
                     *           "input": 0.00015,
                     *           "output": 0.0006
                     *         },
                     *         "context_window": 128000,
                     *         "input_modalities": [
                     *           "text",
                     *           "image"
                     *         ],
                     *         "is_default": false,
                     *         "options": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getModelsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "GPT-4o mini",
                     *         "provider": "openai",
                     *         "model_id": "gpt-4o-mini",
                     *         "type": "chat",
                     *         "api_key_set": true,
                     *         "api_key_hint": null,
                     *         "endpoint": null,
                     *         "pricing": {
                     *           "input": 0.00015,
                     *           "output": 0.0006
                     *         },
                     *         "context_window": 128000,
                     *         "input_modalities": [
                     *           "text",
                     *           "image"
                     *         ],
                     *         "is_default": false,
                     *         "options": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putModelsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pricing": {
                 *         "input": 0.0002,
                 *         "output": 0.0008
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ModelChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "GPT-4o mini",
                     *         "provider": "openai",
                     *         "model_id": "gpt-4o-mini",
                     *         "type": "chat",
                     *         "api_key_set": true,
                     *         "api_key_hint": null,
                     *         "endpoint": null,
                     *         "pricing": {
                     *           "input": 0.00015,
                     *           "output": 0.0006
                     *         },
                     *         "context_window": 128000,
                     *         "input_modalities": [
                     *           "text",
                     *           "image"
                     *         ],
                     *         "is_default": false,
                     *         "options": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteModelsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchModelsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pricing": {
                 *         "input": 0.0002,
                 *         "output": 0.0008
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ModelChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "GPT-4o mini",
                     *         "provider": "openai",
                     *         "model_id": "gpt-4o-mini",
                     *         "type": "chat",
                     *         "api_key_set": true,
                     *         "api_key_hint": null,
                     *         "endpoint": null,
                     *         "pricing": {
                     *           "input": 0.00015,
                     *           "output": 0.0006
                     *         },
                     *         "context_window": 128000,
                     *         "input_modalities": [
                     *           "text",
                     *           "image"
                     *         ],
                     *         "is_default": false,
                     *         "options": {},
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postModelsByIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "ok": true,
                     *         "latency_ms": 640,
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ModelTest"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postModelsAvailable: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "openai",
                 *       "api_key": "sk-your-key"
                 *     }
                 */
                "application/json": components["schemas"]["AvailableModelsQuery"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "status": "listed",
                     *         "error": null,
                     *         "models": [
                     *           {
                     *             "model_id": "gpt-4o-mini",
                     *             "type": "chat",
                     *             "context_window": null,
                     *             "pricing": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AvailableModels"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postOpenaiV1ChatCompletions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "What does it cost?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chatcmpl-01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *       "object": "chat.completion",
                     *       "created": 1769860800,
                     *       "model": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "Delivery takes three to five working days. [1]",
                     *             "refusal": null,
                     *             "annotations": [
                     *               {
                     *                 "type": "url_citation",
                     *                 "url_citation": {
                     *                   "start_index": 43,
                     *                   "end_index": 46,
                     *                   "title": "Delivery.pdf",
                     *                   "url": "https://parley.example.com/knowledge/passage?document=doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                   "index": 1,
                     *                   "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *                   "page": 2,
                     *                   "quote": "Orders arrive within three to five working days."
                     *                 }
                     *               }
                     *             ]
                     *           },
                     *           "logprobs": null,
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 812,
                     *         "completion_tokens": 64,
                     *         "total_tokens": 876
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example {
                     *       "id": "chatcmpl-01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *       "object": "chat.completion.chunk",
                     *       "created": 1769860800,
                     *       "model": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "delta": {
                     *             "content": "Hello"
                     *           },
                     *           "logprobs": null,
                     *           "finish_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            400: components["responses"]["OpenAiError_invalid_request_or_malformed_json"];
            401: components["responses"]["OpenAiError_unauthenticated_or_invalid_token"];
            403: components["responses"]["OpenAiError_budget_exceeded_or_forbidden"];
            404: components["responses"]["OpenAiError_not_found"];
            409: components["responses"]["OpenAiError_idempotency_in_progress"];
            413: components["responses"]["OpenAiError_payload_too_large"];
            415: components["responses"]["OpenAiError_unsupported_media_type"];
            422: components["responses"]["OpenAiError_idempotency_mismatch"];
            429: components["responses"]["OpenAiError_rate_limited"];
            500: components["responses"]["OpenAiError_internal_error"];
            502: components["responses"]["OpenAiError_provider_error"];
            503: components["responses"]["OpenAiError_overloaded"];
            504: components["responses"]["OpenAiError_provider_timeout_or_turn_timeout"];
        };
    };
    postOpenaiV1Embeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "text-embedding-3-small",
                 *       "input": [
                 *         "Hello"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.018,
                     *             -0.042,
                     *             0.097
                     *           ]
                     *         }
                     *       ],
                     *       "model": "all-MiniLM-L6-v2",
                     *       "usage": {
                     *         "prompt_tokens": 3,
                     *         "total_tokens": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingList"];
                };
            };
            400: components["responses"]["OpenAiError_unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["OpenAiError_unauthenticated_or_invalid_token"];
            403: components["responses"]["OpenAiError_budget_exceeded_or_forbidden"];
            404: components["responses"]["OpenAiError_not_found"];
            409: components["responses"]["OpenAiError_idempotency_in_progress"];
            413: components["responses"]["OpenAiError_payload_too_large"];
            415: components["responses"]["OpenAiError_unsupported_media_type"];
            422: components["responses"]["OpenAiError_idempotency_mismatch"];
            429: components["responses"]["OpenAiError_rate_limited"];
            500: components["responses"]["OpenAiError_internal_error"];
            502: components["responses"]["OpenAiError_provider_error"];
            503: components["responses"]["OpenAiError_overloaded"];
            504: components["responses"]["OpenAiError_provider_timeout"];
        };
    };
    getOpenaiV1Models: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "object": "model",
                     *           "created": 1769860800,
                     *           "owned_by": "parley",
                     *           "name": "Support"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiModelList"];
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["OpenAiError_unauthenticated_or_invalid_token"];
            403: components["responses"]["OpenAiError_forbidden"];
            404: components["responses"]["OpenAiError_not_found"];
            429: components["responses"]["OpenAiError_rate_limited"];
            500: components["responses"]["OpenAiError_internal_error"];
            503: components["responses"]["OpenAiError_overloaded"];
        };
    };
    getOpenaiV1ModelsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/openai/v1/models`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *       "object": "model",
                     *       "created": 1769860800,
                     *       "owned_by": "parley",
                     *       "name": "Support"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiModel"];
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OpenAiError_invalid_request"];
            401: components["responses"]["OpenAiError_unauthenticated_or_invalid_token"];
            403: components["responses"]["OpenAiError_forbidden"];
            404: components["responses"]["OpenAiError_not_found"];
            429: components["responses"]["OpenAiError_rate_limited"];
            500: components["responses"]["OpenAiError_internal_error"];
            503: components["responses"]["OpenAiError_overloaded"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPromptTemplates: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "template" | "type" | "version" | "created_at" | "updated_at";
                /** @description Filter by template. */
                template?: string;
                /** @description Filter by type. */
                type?: "system" | "user";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by version. */
                version?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Tutor",
                     *           "description": "For lessons.",
                     *           "template": "Answer as {{persona}}.",
                     *           "variables": [
                     *             "text"
                     *           ],
                     *           "type": "system",
                     *           "version": 1,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postPromptTemplates: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tutor",
                 *       "description": "For lessons.",
                 *       "template": "Answer as {{persona}}.",
                 *       "type": "system"
                 *     }
                 */
                "application/json": components["schemas"]["NewPromptTemplate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Tutor",
                     *         "description": "For lessons.",
                     *         "template": "Answer as {{persona}}.",
                     *         "variables": [
                     *           "text"
                     *         ],
                     *         "type": "system",
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getPromptTemplatesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Tutor",
                     *         "description": "For lessons.",
                     *         "template": "Answer as {{persona}}.",
                     *         "variables": [
                     *           "text"
                     *         ],
                     *         "type": "system",
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putPromptTemplatesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "template": "Answer as {{persona}}, in {{language}}."
                 *     }
                 */
                "application/json": components["schemas"]["PromptTemplateChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Tutor",
                     *         "description": "For lessons.",
                     *         "template": "Answer as {{persona}}.",
                     *         "variables": [
                     *           "text"
                     *         ],
                     *         "type": "system",
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deletePromptTemplatesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchPromptTemplatesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "template": "Answer as {{persona}}, in {{language}}."
                 *     }
                 */
                "application/json": components["schemas"]["PromptTemplateChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Tutor",
                     *         "description": "For lessons.",
                     *         "template": "Answer as {{persona}}.",
                     *         "variables": [
                     *           "text"
                     *         ],
                     *         "type": "system",
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postPromptTemplatesByIdRender: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "persona": "a patient teacher"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RenderPromptTemplate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "text": "Answer as a patient teacher."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RenderedPromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getPromptTemplatesByIdVersions: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description The page, starting at 1. */
                page?: number;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "version": 3,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "created_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "snapshot": {
                     *             "name": "Support",
                     *             "description": null
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Version"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getPromptTemplatesByIdVersionsByVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
                /** @description From the list at `/api/prompt-templates/{id}/versions`. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": 3,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "created_by": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "snapshot": {
                     *           "name": "Support",
                     *           "description": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Version"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postPromptTemplatesByIdVersionsByVersionRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/prompt-templates`. */
                id: string;
                /** @description From the list at `/api/prompt-templates/{id}/versions`. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tpl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Support",
                     *         "description": null,
                     *         "template": "text",
                     *         "variables": [
                     *           "text"
                     *         ],
                     *         "type": "system",
                     *         "version": 1,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PromptTemplate"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use_or_idempotency_in_progress"];
            412: components["responses"]["precondition_failed"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getRagTools: {
        parameters: {
            query?: {
                /** @description Filter by chunk_overlap. */
                chunk_overlap?: number;
                /** @description Filter by chunk_size. */
                chunk_size?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by embedding_model. */
                embedding_model?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by knowledge_source_id. */
                knowledge_source_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by model_id. */
                model_id?: string;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description Filter by score_threshold. */
                score_threshold?: number;
                /** @description Filter by search_mode. */
                search_mode?: "hybrid" | "vector" | "keyword";
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "knowledge_source_id" | "embedding_model" | "chunk_size" | "chunk_overlap" | "top_k" | "search_mode" | "score_threshold" | "status" | "model_id" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "pending" | "indexing" | "ready" | "error";
                /** @description Filter by top_k. */
                top_k?: number;
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "rag_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Handbook",
                     *           "description": "The employee handbook.",
                     *           "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "embedding_model": "all-MiniLM-L6-v2",
                     *           "chunk_size": 400,
                     *           "chunk_overlap": 60,
                     *           "top_k": 5,
                     *           "search_mode": "hybrid",
                     *           "score_threshold": null,
                     *           "filters": {
                     *             "department": [
                     *               "sales",
                     *               "support"
                     *             ],
                     *             "year": {
                     *               "gte": 2024
                     *             }
                     *           },
                     *           "status": "pending",
                     *           "status_message": null,
                     *           "index": {
                     *             "documents": 12,
                     *             "chunks": 340,
                     *             "refined": 340,
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           },
                     *           "model_id": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagTool"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postRagTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook",
                 *       "description": "The employee handbook.",
                 *       "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *       "embedding_model": "all-MiniLM-L6-v2",
                 *       "chunk_size": 400,
                 *       "chunk_overlap": 60,
                 *       "top_k": 5
                 *     }
                 */
                "application/json": components["schemas"]["NewRagTool"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rag_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": "The employee handbook.",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "embedding_model": "all-MiniLM-L6-v2",
                     *         "chunk_size": 400,
                     *         "chunk_overlap": 60,
                     *         "top_k": 5,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "model_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getRagToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/rag-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rag_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": "The employee handbook.",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "embedding_model": "all-MiniLM-L6-v2",
                     *         "chunk_size": 400,
                     *         "chunk_overlap": 60,
                     *         "top_k": 5,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "model_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putRagToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/rag-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "top_k": 8
                 *     }
                 */
                "application/json": components["schemas"]["RagToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rag_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": "The employee handbook.",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "embedding_model": "all-MiniLM-L6-v2",
                     *         "chunk_size": 400,
                     *         "chunk_overlap": 60,
                     *         "top_k": 5,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "model_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteRagToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/rag-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchRagToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/rag-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "top_k": 8
                 *     }
                 */
                "application/json": components["schemas"]["RagToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rag_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Handbook",
                     *         "description": "The employee handbook.",
                     *         "knowledge_source_id": "src_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "embedding_model": "all-MiniLM-L6-v2",
                     *         "chunk_size": 400,
                     *         "chunk_overlap": 60,
                     *         "top_k": 5,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "model_id": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postRagToolsByIdQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/rag-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How long is parental leave?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": components["schemas"]["RagQuery"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "query": "How long does delivery take?",
                     *         "results": [
                     *           {
                     *             "content": "Delivery takes three to five working days.",
                     *             "score": 0.87,
                     *             "metadata": {
                     *               "source": "delivery.pdf",
                     *               "page": 2,
                     *               "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "start": 1024,
                     *               "end": 1066
                     *             },
                     *             "why": {
                     *               "keyword": 0.8,
                     *               "vector": 0.92,
                     *               "headings": [
                     *                 "Orders"
                     *               ],
                     *               "terms": [
                     *                 "delivery"
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "answer": "Delivery takes three to five working days [1].",
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "result": 0,
                     *             "quote": "three to five working days"
                     *           }
                     *         ],
                     *         "index": {
                     *           "status": "pending"
                     *         },
                     *         "degraded": [
                     *           {
                     *             "code": "index_not_ready",
                     *             "message": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RagQueryResult"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout"];
        };
    };
    getRetrievalTools: {
        parameters: {
            query?: {
                /** @description Filter by chunk_overlap. */
                chunk_overlap?: number;
                /** @description Filter by chunk_size. */
                chunk_size?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by embedding_model. */
                embedding_model?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description Filter by rerank. */
                rerank?: string;
                /** @description Filter by score_threshold. */
                score_threshold?: number;
                /** @description Filter by search_mode. */
                search_mode?: "hybrid" | "vector" | "keyword";
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "embedding_model" | "chunk_size" | "chunk_overlap" | "top_k" | "search_mode" | "score_threshold" | "status" | "rerank" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "pending" | "indexing" | "ready" | "error";
                /** @description Filter by top_k. */
                top_k?: number;
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "ret_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "All documents",
                     *           "description": null,
                     *           "knowledge_source_ids": [
                     *             "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *           ],
                     *           "embedding_model": null,
                     *           "chunk_size": 400,
                     *           "chunk_overlap": null,
                     *           "top_k": 10,
                     *           "search_mode": "hybrid",
                     *           "score_threshold": null,
                     *           "filters": {
                     *             "department": [
                     *               "sales",
                     *               "support"
                     *             ],
                     *             "year": {
                     *               "gte": 2024
                     *             }
                     *           },
                     *           "status": "pending",
                     *           "status_message": null,
                     *           "index": {
                     *             "documents": 12,
                     *             "chunks": 340,
                     *             "refined": 340,
                     *             "updated_at": "2026-01-31T12:00:00Z"
                     *           },
                     *           "weights": null,
                     *           "rerank": "mmr",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievalTool"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postRetrievalTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "All documents",
                 *       "knowledge_source_ids": [
                 *         "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                 *       ],
                 *       "search_mode": "hybrid",
                 *       "top_k": 10,
                 *       "rerank": "mmr"
                 *     }
                 */
                "application/json": components["schemas"]["NewRetrievalTool"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ret_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "All documents",
                     *         "description": null,
                     *         "knowledge_source_ids": [
                     *           "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "embedding_model": null,
                     *         "chunk_size": 400,
                     *         "chunk_overlap": null,
                     *         "top_k": 10,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "weights": null,
                     *         "rerank": "mmr",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievalTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getRetrievalToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/retrieval-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ret_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "All documents",
                     *         "description": null,
                     *         "knowledge_source_ids": [
                     *           "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "embedding_model": null,
                     *         "chunk_size": 400,
                     *         "chunk_overlap": null,
                     *         "top_k": 10,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "weights": null,
                     *         "rerank": "mmr",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievalTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putRetrievalToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/retrieval-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "weights": {
                 *         "vector": 0.4,
                 *         "keyword": 0.6
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RetrievalToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ret_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "All documents",
                     *         "description": null,
                     *         "knowledge_source_ids": [
                     *           "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "embedding_model": null,
                     *         "chunk_size": 400,
                     *         "chunk_overlap": null,
                     *         "top_k": 10,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "weights": null,
                     *         "rerank": "mmr",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievalTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteRetrievalToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/retrieval-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchRetrievalToolsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/retrieval-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "weights": {
                 *         "vector": 0.4,
                 *         "keyword": 0.6
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RetrievalToolChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ret_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "All documents",
                     *         "description": null,
                     *         "knowledge_source_ids": [
                     *           "src_01k9z8q4m6e3v7t2w5x8y1a4bc"
                     *         ],
                     *         "embedding_model": null,
                     *         "chunk_size": 400,
                     *         "chunk_overlap": null,
                     *         "top_k": 10,
                     *         "search_mode": "hybrid",
                     *         "score_threshold": null,
                     *         "filters": {
                     *           "department": [
                     *             "sales",
                     *             "support"
                     *           ],
                     *           "year": {
                     *             "gte": 2024
                     *           }
                     *         },
                     *         "status": "pending",
                     *         "status_message": null,
                     *         "index": {
                     *           "documents": 12,
                     *           "chunks": 340,
                     *           "refined": 340,
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         },
                     *         "weights": null,
                     *         "rerank": "mmr",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RetrievalTool"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postRetrievalToolsByIdSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/retrieval-tools`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "parental leave",
                 *       "search_mode": "keyword"
                 *     }
                 */
                "application/json": components["schemas"]["Search"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "query": "How long does delivery take?",
                     *         "results": [
                     *           {
                     *             "content": "Delivery takes three to five working days.",
                     *             "score": 0.87,
                     *             "metadata": {
                     *               "source": "delivery.pdf",
                     *               "page": 2,
                     *               "document_id": "doc_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "chunk_id": "idx_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *               "start": 1024,
                     *               "end": 1066
                     *             },
                     *             "why": {
                     *               "keyword": 0.8,
                     *               "vector": 0.92,
                     *               "headings": [
                     *                 "Orders"
                     *               ],
                     *               "terms": [
                     *                 "delivery"
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "index": {
                     *           "status": "pending"
                     *         },
                     *         "degraded": [
                     *           {
                     *             "code": "index_not_ready",
                     *             "message": "text"
                     *           }
                     *         ],
                     *         "took_ms": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchAnswer"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["budget_exceeded_or_forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["provider_error"];
            503: components["responses"]["overloaded"];
            504: components["responses"]["provider_timeout"];
        };
    };
    getSearch: {
        parameters: {
            query: {
                /** @description Results of each type. */
                limit?: number;
                /** @description Words to find in names, titles and descriptions, and in the messages of conversations. */
                q: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "type": "agent",
                     *           "id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Support",
                     *           "description": null,
                     *           "knowledge_source_id": null,
                     *           "matches": [],
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FoundResource"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "status": "operational",
                     *         "version": "0.1.0",
                     *         "uptime_seconds": 86400,
                     *         "components": {
                     *           "database": {
                     *             "status": "operational",
                     *             "latency_ms": 0.4,
                     *             "engine": "sqlite"
                     *           },
                     *           "vector_db": {
                     *             "status": "operational",
                     *             "latency_ms": 0.4,
                     *             "engine": "sqlite"
                     *           },
                     *           "jobs": {
                     *             "status": "operational",
                     *             "latency_ms": 0.4,
                     *             "engine": "sqlite"
                     *           },
                     *           "files": {
                     *             "status": "operational",
                     *             "latency_ms": 0.4,
                     *             "engine": "sqlite"
                     *           }
                     *         },
                     *         "jobs": {
                     *           "queued": 2,
                     *           "due": 0,
                     *           "running": 1,
                     *           "failed": 0
                     *         },
                     *         "counts": {
                     *           "agents": 3,
                     *           "models": 2
                     *         },
                     *         "node": "parley-1"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Status"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getTokens: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by expires_at. */
                expires_at?: string;
                /** @description Only if expires_at is not before this. A date counts as its whole UTC day. */
                expires_at_gte?: string;
                /** @description Only if expires_at is not after this. A date counts as its whole UTC day. */
                expires_at_lte?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by last_used_at. */
                last_used_at?: string;
                /** @description Only if last_used_at is not before this. A date counts as its whole UTC day. */
                last_used_at_gte?: string;
                /** @description Only if last_used_at is not after this. A date counts as its whole UTC day. */
                last_used_at_lte?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Filter by prefix. */
                prefix?: string;
                /** @description Words to find in name. */
                q?: string;
                /** @description Filter by rate_limit. */
                rate_limit?: number;
                /** @description Filter by role. */
                role?: "viewer" | "user" | "editor" | "admin" | "owner";
                /** @description The field to sort by. */
                sort?: "id" | "name" | "role" | "user_id" | "prefix" | "rate_limit" | "expires_at" | "last_used_at" | "created_at" | "updated_at";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by user_id. */
                user_id?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "CI",
                     *           "role": "editor",
                     *           "user_id": null,
                     *           "prefix": "parley_h8Kd",
                     *           "rate_limit": null,
                     *           "expires_at": "2030-01-01T00:00:00Z",
                     *           "last_used_at": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CI",
                 *       "role": "editor",
                 *       "expires_at": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "CI",
                     *         "role": "editor",
                     *         "user_id": null,
                     *         "prefix": "parley_h8Kd",
                     *         "rate_limit": null,
                     *         "expires_at": "2030-01-01T00:00:00Z",
                     *         "last_used_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z",
                     *         "secret": "text",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CreatedToken"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getTokensById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/tokens`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tok_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "CI",
                     *         "role": "editor",
                     *         "user_id": null,
                     *         "prefix": "parley_h8Kd",
                     *         "rate_limit": null,
                     *         "expires_at": "2030-01-01T00:00:00Z",
                     *         "last_used_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Token"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteTokensById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/tokens`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getUsageCosts: {
        parameters: {
            query?: {
                /** @description Up to this day, which is included (UTC). A timestamp counts as its UTC day. */
                end_date?: string;
                /** @description Without `entity_type`, its prefix says what it is; an id without a known prefix is a user. */
                entity_id?: string;
                /** @description Whose usage. */
                entity_type?: "agent" | "model" | "conversation" | "user" | "token" | "tool" | "evaluation";
                /** @description Splits each day of `daily` into `groups`. Only for the whole workspace, without `entity_type` and `entity_id`. */
                group_by?: "model" | "agent" | "user";
                /** @description From this day on (UTC). A timestamp counts as its UTC day. */
                start_date?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "currency": "USD",
                     *         "total_cost": 0.0487,
                     *         "by_model": {
                     *           "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc": {
                     *             "name": "GPT-5 mini",
                     *             "model_id": "gpt-5-mini",
                     *             "tokens": 16240,
                     *             "cost": 0.0487,
                     *             "requests": 20,
                     *             "input_tokens": 14960,
                     *             "output_tokens": 1280
                     *           }
                     *         },
                     *         "by_entity": {
                     *           "agent": {
                     *             "agt_01k9z8q4m6e3v7t2w5x8y1a4bc": {
                     *               "tokens": 16240,
                     *               "cost": 0.0487,
                     *               "requests": 20
                     *             }
                     *           }
                     *         },
                     *         "daily": [
                     *           {
                     *             "date": "2026-01-31",
                     *             "cost": 0.0487,
                     *             "tokens": 16240
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageCosts"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getUsageStats: {
        parameters: {
            query?: {
                /** @description Up to this day, which is included (UTC). A timestamp counts as its UTC day. */
                end_date?: string;
                /** @description Without `entity_type`, its prefix says what it is; an id without a known prefix is a user. */
                entity_id?: string;
                /** @description Whose usage. */
                entity_type?: "agent" | "model" | "conversation" | "user" | "token" | "tool" | "evaluation";
                /** @description From this day on (UTC). A timestamp counts as its UTC day. */
                start_date?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "total_tokens": 16240,
                     *         "total_cost": 0.0487,
                     *         "by_model": {
                     *           "mdl_01k9z8q4m6e3v7t2w5x8y1a4bc": {
                     *             "name": "GPT-5 mini",
                     *             "model_id": "gpt-5-mini",
                     *             "tokens": 16240,
                     *             "cost": 0.0487,
                     *             "requests": 20,
                     *             "input_tokens": 14960,
                     *             "output_tokens": 1280
                     *           }
                     *         },
                     *         "by_entity": {
                     *           "agent": {
                     *             "agt_01k9z8q4m6e3v7t2w5x8y1a4bc": {
                     *               "tokens": 16240,
                     *               "cost": 0.0487,
                     *               "requests": 20
                     *             }
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageStats"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getUsageThresholds: {
        parameters: {
            query?: {
                /** @description Filter by action. */
                action?: "notify" | "block";
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by entity_id. */
                entity_id?: string;
                /** @description Filter by entity_type. */
                entity_type?: "workspace" | "agent" | "model" | "user" | "token";
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by metric. */
                metric?: "cost" | "tokens";
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "entity_type" | "entity_id" | "metric" | "limit" | "window" | "action" | "created_at" | "updated_at";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by window. */
                window?: "day" | "month" | "total";
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "thr_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "No more than $50 a month",
                     *           "entity_type": "workspace",
                     *           "entity_id": null,
                     *           "metric": "cost",
                     *           "limit": 50,
                     *           "window": "month",
                     *           "action": "block",
                     *           "used": 1,
                     *           "reserved": 1,
                     *           "percent": 1,
                     *           "resets_at": null,
                     *           "exceeded_at": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageThreshold"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postUsageThresholds: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "No more than $50 a month",
                 *       "metric": "cost",
                 *       "limit": 50,
                 *       "window": "month",
                 *       "action": "block"
                 *     }
                 */
                "application/json": components["schemas"]["NewUsageThreshold"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "thr_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "No more than $50 a month",
                     *         "entity_type": "workspace",
                     *         "entity_id": null,
                     *         "metric": "cost",
                     *         "limit": 50,
                     *         "window": "month",
                     *         "action": "block",
                     *         "used": 1,
                     *         "reserved": 1,
                     *         "percent": 1,
                     *         "resets_at": null,
                     *         "exceeded_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageThreshold"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getUsageThresholdsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/usage/thresholds`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "thr_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "No more than $50 a month",
                     *         "entity_type": "workspace",
                     *         "entity_id": null,
                     *         "metric": "cost",
                     *         "limit": 50,
                     *         "window": "month",
                     *         "action": "block",
                     *         "used": 1,
                     *         "reserved": 1,
                     *         "percent": 1,
                     *         "resets_at": null,
                     *         "exceeded_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageThreshold"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putUsageThresholdsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/usage/thresholds`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "limit": 80
                 *     }
                 */
                "application/json": components["schemas"]["UsageThresholdChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "thr_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "No more than $50 a month",
                     *         "entity_type": "workspace",
                     *         "entity_id": null,
                     *         "metric": "cost",
                     *         "limit": 50,
                     *         "window": "month",
                     *         "action": "block",
                     *         "used": 1,
                     *         "reserved": 1,
                     *         "percent": 1,
                     *         "resets_at": null,
                     *         "exceeded_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageThreshold"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteUsageThresholdsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/usage/thresholds`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchUsageThresholdsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/usage/thresholds`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "limit": 80
                 *     }
                 */
                "application/json": components["schemas"]["UsageThresholdChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "thr_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "No more than $50 a month",
                     *         "entity_type": "workspace",
                     *         "entity_id": null,
                     *         "metric": "cost",
                     *         "limit": 50,
                     *         "window": "month",
                     *         "action": "block",
                     *         "used": 1,
                     *         "reserved": 1,
                     *         "percent": 1,
                     *         "resets_at": null,
                     *         "exceeded_at": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageThreshold"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["unknown_reference_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getWebhooks: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by disabled_reason. */
                disabled_reason?: string;
                /** @description Filter by enabled. */
                enabled?: boolean;
                /** @description Filter by failing_since. */
                failing_since?: string;
                /** @description Only if failing_since is not before this. A date counts as its whole UTC day. */
                failing_since_gte?: string;
                /** @description Only if failing_since is not after this. A date counts as its whole UTC day. */
                failing_since_lte?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in description. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "url" | "description" | "enabled" | "disabled_reason" | "failing_since" | "created_at" | "updated_at";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
                /** @description Filter by url. */
                url?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "url": "https://example.com/hooks/parley",
                     *           "events": [
                     *             "conversation.completed"
                     *           ],
                     *           "description": "To the CRM",
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/parley",
                 *       "events": [
                 *         "conversation.completed"
                 *       ],
                 *       "description": "To the CRM"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "url": "https://example.com/hooks/parley",
                     *         "events": [
                     *           "conversation.completed"
                     *         ],
                     *         "description": "To the CRM",
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "url": "https://example.com/hooks/parley",
                     *         "events": [
                     *           "conversation.completed"
                     *         ],
                     *         "description": "To the CRM",
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    putWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "url": "https://example.com/hooks/parley",
                     *         "events": [
                     *           "conversation.completed"
                     *         ],
                     *         "description": "To the CRM",
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    patchWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "url": "https://example.com/hooks/parley",
                     *         "events": [
                     *           "conversation.completed"
                     *         ],
                     *         "description": "To the CRM",
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["egress_blocked_or_invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getWebhooksByIdDeliveries: {
        parameters: {
            query?: {
                /** @description Filter by attempts. */
                attempts?: number;
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by delivered_at. */
                delivered_at?: string;
                /** @description Only if delivered_at is not before this. A date counts as its whole UTC day. */
                delivered_at_gte?: string;
                /** @description Only if delivered_at is not after this. A date counts as its whole UTC day. */
                delivered_at_lte?: string;
                /** @description Filter by error. */
                error?: string;
                /** @description Filter by event. */
                event?: "conversation.completed" | "evaluation.finished" | "usage.threshold_exceeded" | "knowledge_source.synced" | "webhook.test";
                /** @description Filter by event_id. */
                event_id?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Filter by last_attempt_at. */
                last_attempt_at?: string;
                /** @description Only if last_attempt_at is not before this. A date counts as its whole UTC day. */
                last_attempt_at_gte?: string;
                /** @description Only if last_attempt_at is not after this. A date counts as its whole UTC day. */
                last_attempt_at_lte?: string;
                /** @description Filter by latency_ms. */
                latency_ms?: number;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by next_attempt_at. */
                next_attempt_at?: string;
                /** @description Only if next_attempt_at is not before this. A date counts as its whole UTC day. */
                next_attempt_at_gte?: string;
                /** @description Only if next_attempt_at is not after this. A date counts as its whole UTC day. */
                next_attempt_at_lte?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find. These resources have neither name nor description, so nothing matches. */
                q?: string;
                /** @description Filter by response_status. */
                response_status?: number;
                /** @description The field to sort by. */
                sort?: "id" | "event_id" | "event" | "status" | "attempts" | "next_attempt_at" | "last_attempt_at" | "delivered_at" | "response_status" | "error" | "latency_ms" | "created_at" | "updated_at";
                /** @description Filter by status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "dlv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "webhook_id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "event_id": "evt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "event": "webhook.test",
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "next_attempt_at": null,
                     *           "last_attempt_at": "2026-01-31T12:00:00Z",
                     *           "delivered_at": "2026-01-31T12:00:00Z",
                     *           "request_body": "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-31T12:00:00Z\",\"data\":{}}",
                     *           "response_status": 204,
                     *           "response_body": null,
                     *           "error": null,
                     *           "latency_ms": 120,
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postWebhooksByIdDeliveriesByDeliveryRedeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks/{id}/deliveries`. */
                delivery: string;
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dlv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "webhook_id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "event_id": "evt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "event": "webhook.test",
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "next_attempt_at": null,
                     *         "last_attempt_at": "2026-01-31T12:00:00Z",
                     *         "delivered_at": "2026-01-31T12:00:00Z",
                     *         "request_body": "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-31T12:00:00Z\",\"data\":{}}",
                     *         "response_status": 204,
                     *         "response_body": null,
                     *         "error": null,
                     *         "latency_ms": 120,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postWebhooksByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "url": "text",
                     *         "events": [
                     *           "*"
                     *         ],
                     *         "description": null,
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postWebhooksByIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/webhooks`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dlv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "webhook_id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "event_id": "evt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "event": "webhook.test",
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "next_attempt_at": null,
                     *         "last_attempt_at": "2026-01-31T12:00:00Z",
                     *         "delivered_at": "2026-01-31T12:00:00Z",
                     *         "request_body": "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-31T12:00:00Z\",\"data\":{}}",
                     *         "response_status": 204,
                     *         "response_body": null,
                     *         "error": null,
                     *         "latency_ms": 120,
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getWorkspaces: {
        parameters: {
            query?: {
                /** @description Filter by created_at. */
                created_at?: string;
                /** @description Only if created_at is not before this. A date counts as its whole UTC day. */
                created_at_gte?: string;
                /** @description Only if created_at is not after this. A date counts as its whole UTC day. */
                created_at_lte?: string;
                /** @description Filter by description. */
                description?: string;
                /** @description Filter by id. */
                id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Filter by name. */
                name?: string;
                /** @description Ascending or descending. */
                order?: "asc" | "desc";
                /** @description The page, starting at 1. */
                page?: number;
                /** @description Words to find in name and description. */
                q?: string;
                /** @description The field to sort by. */
                sort?: "id" | "name" | "description" | "created_at" | "updated_at";
                /** @description Filter by updated_at. */
                updated_at?: string;
                /** @description Only if updated_at is not before this. A date counts as its whole UTC day. */
                updated_at_gte?: string;
                /** @description Only if updated_at is not after this. A date counts as its whole UTC day. */
                updated_at_lte?: string;
            };
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *           "name": "Acme",
                     *           "description": "The agents of the Acme team.",
                     *           "created_at": "2026-01-31T12:00:00Z",
                     *           "updated_at": "2026-01-31T12:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        /** @description If rows may be missing, why. */
                        message?: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    postWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key and body run once and get the same response for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme",
                 *       "description": "The agents of the Acme team."
                 *     }
                 */
                "application/json": components["schemas"]["NewWorkspace"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Acme",
                     *         "description": "The agents of the Acme team.",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalid_request_or_malformed_json"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_mismatch"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    getWorkspacesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/workspaces`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "wsp_01k9z8q4m6e3v7t2w5x8y1a4bc",
                     *         "name": "Acme",
                     *         "description": "The agents of the Acme team.",
                     *         "created_at": "2026-01-31T12:00:00Z",
                     *         "updated_at": "2026-01-31T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Not changed since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    deleteWorkspacesById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes. */
                "If-Match"?: components["parameters"]["ifMatch"];
                /** @description For an owner's token: the ID or name of the workspace to act in. */
                "X-Workspace"?: components["parameters"]["workspace"];
            };
            path: {
                /** @description From the list at `/api/workspaces`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The agent was deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated_or_invalid_token"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use"];
            412: components["responses"]["precondition_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["overloaded"];
        };
    };
    onConversationCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. Use it to ignore duplicates. */
                "webhook-id": string;
                /** @description Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "conversation.completed",
                 *       "timestamp": "2026-01-31T12:00:00Z",
                 *       "data": {
                 *         "conversation_id": "cnv_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "agent_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "user_id": null,
                 *         "title": null,
                 *         "reason": "requested",
                 *         "messages": {
                 *           "total": 1,
                 *           "user": 1,
                 *           "assistant": 1
                 *         },
                 *         "tokens": {
                 *           "input": 1,
                 *           "output": 1
                 *         },
                 *         "cost": 1,
                 *         "metadata": {},
                 *         "created_at": "2026-01-31T12:00:00Z",
                 *         "completed_at": "2026-01-31T12:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["ConversationCompleted"];
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @constant */
                    type: "conversation.completed";
                };
            };
        };
        responses: {
            /** @description Received. Anything else, a redirect included, counts as a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEvaluationFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. Use it to ignore duplicates. */
                "webhook-id": string;
                /** @description Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "evaluation.finished",
                 *       "timestamp": "2026-01-31T12:00:00Z",
                 *       "data": {
                 *         "evaluation_id": "evl_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "evaluation_name": "text",
                 *         "run_id": "run_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "status": "completed",
                 *         "verdict": null,
                 *         "progress": {
                 *           "done": 1,
                 *           "total": 1
                 *         },
                 *         "type": "text",
                 *         "target_id": "agt_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "target_version": null,
                 *         "summary": null,
                 *         "error": null,
                 *         "created_at": "2026-01-31T12:00:00Z",
                 *         "started_at": null,
                 *         "finished_at": null
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["EvaluationFinished"];
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @constant */
                    type: "evaluation.finished";
                };
            };
        };
        responses: {
            /** @description Received. Anything else, a redirect included, counts as a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKnowledge_sourceSynced: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. Use it to ignore duplicates. */
                "webhook-id": string;
                /** @description Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "knowledge_source.synced",
                 *       "timestamp": "2026-01-31T12:00:00Z",
                 *       "data": {
                 *         "knowledge_source": {
                 *           "id": "text",
                 *           "name": "Support",
                 *           "type": "text",
                 *           "status": "active"
                 *         },
                 *         "sync": {}
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["KnowledgeSourceSynced"];
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @constant */
                    type: "knowledge_source.synced";
                };
            };
        };
        responses: {
            /** @description Received. Anything else, a redirect included, counts as a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUsageThreshold_exceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. Use it to ignore duplicates. */
                "webhook-id": string;
                /** @description Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "usage.threshold_exceeded",
                 *       "timestamp": "2026-01-31T12:00:00Z",
                 *       "data": {
                 *         "threshold": {
                 *           "id": "text",
                 *           "name": "Support",
                 *           "entity_type": null,
                 *           "entity_id": null,
                 *           "metric": "cost",
                 *           "limit": 1,
                 *           "window": "day",
                 *           "action": "notify"
                 *         },
                 *         "reason": "limit_reached",
                 *         "used": 1,
                 *         "reserved": 1,
                 *         "resets_at": null,
                 *         "exceeded_at": "2026-01-31T12:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["UsageThresholdExceeded"];
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @constant */
                    type: "usage.threshold_exceeded";
                };
            };
        };
        responses: {
            /** @description Received. Anything else, a redirect included, counts as a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. Use it to ignore duplicates. */
                "webhook-id": string;
                /** @description Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-01-31T12:00:00Z",
                 *       "data": {
                 *         "webhook_id": "whk_01k9z8q4m6e3v7t2w5x8y1a4bc",
                 *         "message": "text"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: components["schemas"]["WebhookTested"];
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @constant */
                    type: "webhook.test";
                };
            };
        };
        responses: {
            /** @description Received. Anything else, a redirect included, counts as a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
export const permissions = {
    "public": null,
    "see-status": [
        "viewer",
        "user",
        "editor",
        "admin",
        "owner"
    ],
    "read-agents": [
        "viewer",
        "user",
        "editor",
        "admin",
        "owner"
    ],
    "read-configuration": [
        "viewer",
        "editor",
        "admin",
        "owner"
    ],
    "converse": [
        "user",
        "editor",
        "admin",
        "owner"
    ],
    "write-configuration": [
        "editor",
        "admin",
        "owner"
    ],
    "administer": [
        "admin",
        "owner"
    ],
    "manage-workspaces": [
        "owner"
    ]
} as const;
