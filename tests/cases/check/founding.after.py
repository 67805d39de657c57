"""A captioning model as its author wrote it for PYNATIVE_MODE."""

import mindspore as ms
# masks are made with it
from mindspore import Parameter, nn, ops


class QFormer(nn.Cell):
    """Stands for the Q-Former: queries look at image features under a mask."""

    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.query = nn.Dense(width, width)
        self.output = nn.Dense(width, width)
        self.activation = nn.GELU(approximate=False)

    def construct(self, query_embeds, encoder_hidden_states, encoder_attention_mask):
        scores = ops.matmul(self.query(query_embeds), encoder_hidden_states.swapaxes(1, 2))
        # One row of the mask for all queries.
        scores = scores + (1.0 - encoder_attention_mask.expand_dims(1)) * -10000.0
        attended = ops.matmul(ops.softmax(scores, -1), encoder_hidden_states)
        return self.activation(self.output(self.norm(attended + query_embeds)))


class Net(nn.Cell):
    """The model around it."""

    def __init__(self, width=8, queries=4):
        super().__init__()
        self.queries = queries
        self.query_tokens = Parameter(ops.ones((1, queries, width), ms.float32), name="query")
        self.qformer = QFormer(width)

    def construct(self, image_embeds):
        batch = image_embeds.shape[0]
        # Every image token may be looked at.
        image_atts = ops.ones(
            image_embeds.shape[:-1], ms.float32,  # ones: no padding
        )
        query_atts = ops.ones((batch, self.queries), ms.float32)
        positions = ops.arange(image_embeds.shape[1], dtype=ms.float32)
        offset = ops.zeros((batch, 1, 1), ms.float32)
        half = ops.full((batch, self.queries), 0.5, dtype=ms.float32)
        queries = ops.broadcast_to(self.query_tokens, (batch, -1, -1))
        output = self.qformer(
            query_embeds=queries + offset,
            encoder_hidden_states=image_embeds + positions.reshape(1, -1, 1) * 0.01,
            encoder_attention_mask=image_atts,
        )
        return output, query_atts * half
