"""An estimate of tokens that needs no tokenizer and no download.

Four characters a token is a rule of thumb for English and code; a provider's own count is the truth, and arrives in
`Reply.usage`. What matters here is that each message is counted once, when it arrives.
"""

from picolab.messages import Message, Text, Thought, ToolCall

CHARACTERS_PER_TOKEN = 4
MESSAGE_OVERHEAD = 4
"""Tokens that a chat format spends on a message's role and ends, whatever it says."""


def estimate(characters: int) -> int:
    """Tokens in so many characters, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def tokens_of(message: Message) -> int:
    """Estimated tokens of one message."""
    characters = 0
    for part in message.parts:
        if type(part) is Text:
            characters += len(part.text)
        elif type(part) is ToolCall:
            characters += len(part.name) + len(part.arguments)
        elif type(part) is Thought:
            characters += len(part.data)
        else:
            characters += len(part.content)
    return estimate(characters) + MESSAGE_OVERHEAD
