# Ported to MindSpore by porter 0.1.0 from model.py.
"""An image retrieval model in PyTorch: a vision encoder, learnable queries and a small Q-Former."""


import mindspore as ms
from mindspore import nn, ops

from .runtime.creation import finfo
from .runtime.normalization import normalize


class PatchEmbedding(nn.Cell):
    """Cut an image into patches and embed each, with a class token in front."""

    def __init__(self, image_size, patch_size, width):
        super().__init__()
        self.patches = (image_size // patch_size) ** 2
        self.projection = nn.Conv2d(3, width, kernel_size=patch_size, stride=patch_size, pad_mode="pad", has_bias=True)
        self.class_token = ms.Parameter(ops.zeros((1, 1, width)))
        self.positions = ms.Parameter(ops.zeros((1, self.patches + 1, width)))

    def construct(self, images):
        tokens = self.projection(images).flatten(start_dim=2).swapaxes(1, 2)
        class_token = ops.broadcast_to(self.class_token, (tokens.shape[0], -1, -1))
        return ops.cat([class_token, tokens], axis=1) + self.positions[:, : tokens.shape[1] + 1]


class Attention(nn.Cell):
    """Multi-head attention over the tokens themselves, or over those of an encoder."""

    def __init__(self, width, heads, encoder_width=None, dropout=0.1):
        super().__init__()
        self.heads = heads
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(encoder_width or width, width)
        self.value = nn.Dense(encoder_width or width, width)
        self.output = nn.Dense(width, width)
        self.dropout = nn.Dropout(p=dropout)

    def split_heads(self, tokens: ms.Tensor) -> ms.Tensor:
        batch, length, width = tokens.shape
        return tokens.view((batch, length, self.heads, width // self.heads)).permute((0, 2, 1, 3))

    def construct(self, hidden_states, encoder_hidden_states=None, attention_mask=None):
        source = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        query = self.split_heads(self.query(hidden_states))
        key = self.split_heads(self.key(source))
        value = self.split_heads(self.value(source))
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (query.shape[-1] ** 0.5)
        if attention_mask is not None:
            # 1 where a position counts, 0 where it is padding
            blocked = attention_mask[:, None, None, :] == 0
            scores = ops.masked_fill(scores, blocked, finfo(scores.dtype).min)
        weights = self.dropout(ops.softmax(scores, axis=-1))
        mixed = ops.matmul(weights, value).swapaxes(1, 2).contiguous()
        return self.output(mixed.view(hidden_states.shape))


class FeedForward(nn.Cell):
    def __init__(self, width, inner):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(width, inner), nn.GELU(approximate=False), nn.Dense(inner, width))

    def construct(self, hidden_states):
        return self.layers(hidden_states)


class VisionLayer(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-6)
        self.attention = Attention(width, heads, dropout=0.0)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-6)
        self.feed_forward = FeedForward(width, 4 * width)

    def construct(self, hidden_states):
        hidden_states = hidden_states + self.attention(self.norm1(hidden_states))
        return hidden_states + self.feed_forward(self.norm2(hidden_states))


class VisionEncoder(nn.Cell):
    def __init__(self, image_size, patch_size, width, heads, depth):
        super().__init__()
        self.embedding = PatchEmbedding(image_size, patch_size, width)
        self.layers = nn.CellList([VisionLayer(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-05)

    def construct(self, images):
        hidden_states = self.embedding(images)
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return self.norm(hidden_states)


class QFormerLayer(nn.Cell):
    def __init__(self, width, heads, encoder_width):
        super().__init__()
        self.attention = Attention(width, heads)
        self.cross_attention = Attention(width, heads, encoder_width)
        self.feed_forward = FeedForward(width, 4 * width)
        self.norms = nn.CellList([nn.LayerNorm((width,), epsilon=1e-12) for _ in range(3)])

    def construct(self, query_embeds, encoder_hidden_states, encoder_attention_mask=None):
        hidden_states = self.norms[0](query_embeds + self.attention(query_embeds))
        attended = self.cross_attention(
            hidden_states,
            encoder_hidden_states=encoder_hidden_states,  # keys and values are the image's
            attention_mask=encoder_attention_mask,
        )
        hidden_states = self.norms[1](hidden_states + attended)
        return self.norms[2](hidden_states + self.feed_forward(hidden_states))


class QFormer(nn.Cell):
    def __init__(self, width, heads, depth, encoder_width):
        super().__init__()
        self.layers = nn.CellList(
            [QFormerLayer(width, heads, encoder_width) for _ in range(depth)]
        )

    def construct(self, query_embeds, encoder_hidden_states, encoder_attention_mask=None):
        hidden_states = query_embeds
        for layer in self.layers:
            hidden_states = layer(
                hidden_states,
                encoder_hidden_states=encoder_hidden_states,
                encoder_attention_mask=encoder_attention_mask,
            )
        return hidden_states


class RetrievalModel(nn.Cell):
    """Embed images for retrieval; the mask over the image tokens is made inside `forward`."""

    def __init__(
        self,
        image_size=32,
        patch_size=8,
        vision_width=48,
        width=32,
        heads=4,
        depth=2,
        queries=6,
        embedding_size=16,
    ):
        super().__init__()
        self.vision_encoder = VisionEncoder(image_size, patch_size, vision_width, heads, depth)
        self.query_tokens = ms.Parameter(ops.randn((1, queries, width)) * 0.02)
        self.qformer = QFormer(width, heads, depth, vision_width)
        self.projection = nn.Dense(width, embedding_size)

    def construct(self, images):
        image_embeds = self.vision_encoder(images)
        image_mask = ops.ones(image_embeds.shape[:-1], dtype=ms.int64)
        query_output = self.qformer(
            query_embeds=ops.broadcast_to(self.query_tokens, (image_embeds.shape[0], -1, -1)),
            encoder_hidden_states=image_embeds,
            encoder_attention_mask=image_mask,
        )
        return normalize(self.projection(query_output), dim=-1)


class NumpyMaskRetrievalModel(RetrievalModel):
    """The same model with its mask made by numpy, as much code in the field has it."""

    def construct(self, images):
        image_embeds = self.vision_encoder(images)
        batch, length = image_embeds.shape[:2]
        image_mask = ops.ones((batch, length), dtype=ms.float64)
        query_output = self.qformer(
            query_embeds=ops.broadcast_to(self.query_tokens, (batch, -1, -1)),
            encoder_hidden_states=image_embeds,
            encoder_attention_mask=image_mask,
        )
        return normalize(self.projection(query_output), dim=-1)
