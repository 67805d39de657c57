"""Train a small Q-Former to match images and texts: contrastive and matching loss, one epoch."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers.models.blip_2.modeling_blip_2 import Blip2QFormerModel, Blip2TextEmbeddings


class ImageTextModel(nn.Module):
    """A Q-Former over image features and texts, with the two losses of BLIP-2's first stage."""

    def __init__(self, config, queries=4, embedding_size=16):
        super().__init__()
        self.query_tokens = nn.Parameter(torch.randn(1, queries, config.hidden_size) * 0.02)
        self.embeddings = Blip2TextEmbeddings(config)
        self.qformer = Blip2QFormerModel(config)
        self.vision_projection = nn.Linear(config.hidden_size, embedding_size)
        self.text_projection = nn.Linear(config.hidden_size, embedding_size)
        self.matching_head = nn.Linear(config.hidden_size, 2)
        self.temperature = nn.Parameter(torch.tensor(0.2))

    def image_embeds(self, image_features):
        queries = self.query_tokens.expand(image_features.shape[0], -1, -1)
        output = self.qformer(query_embeds=queries, encoder_hidden_states=image_features)
        return F.normalize(self.vision_projection(output.last_hidden_state), dim=-1)

    def text_embeds(self, input_ids, attention_mask):
        output = self.qformer(
            query_embeds=self.embeddings(input_ids=input_ids),
            query_length=0,
            attention_mask=attention_mask,
        )
        return F.normalize(self.text_projection(output.last_hidden_state[:, 0]), dim=-1)

    def contrastive_loss(self, image_features, input_ids, attention_mask):
        images = self.image_embeds(image_features)
        texts = self.text_embeds(input_ids, attention_mask)
        # of the queries of an image, the one that is nearest to the text counts
        similarity = torch.einsum("iqd,td->itq", images, texts).max(dim=-1).values
        logits = similarity / self.temperature.clamp(min=0.05)
        labels = torch.arange(logits.size(0), device=logits.device)
        return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2

    def matching_logits(self, image_features, input_ids, attention_mask):
        queries = self.query_tokens.expand(image_features.shape[0], -1, -1)
        query_mask = torch.ones(queries.shape[:-1], dtype=torch.long, device=queries.device)
        output = self.qformer(
            query_embeds=self.embeddings(input_ids=input_ids, query_embeds=queries),
            query_length=queries.shape[1],
            attention_mask=torch.cat([query_mask, attention_mask], dim=1),
            encoder_hidden_states=image_features,
        )
        return self.matching_head(output.last_hidden_state[:, : queries.size(1)]).mean(dim=1)

    def matching_loss(self, image_features, input_ids, attention_mask):
        # each image with its own text, and with that of its neighbour
        logits = self.matching_logits(
            torch.cat([image_features, image_features]),
            torch.cat([input_ids, input_ids.roll(1, 0)]),
            torch.cat([attention_mask, attention_mask.roll(1, 0)]),
        )
        batch = image_features.size(0)
        labels = torch.cat([torch.ones(batch), torch.zeros(batch)]).long().to(logits.device)
        return F.cross_entropy(logits, labels)

    def forward(self, image_features, input_ids, attention_mask):
        contrastive = self.contrastive_loss(image_features, input_ids, attention_mask)
        return contrastive, self.matching_loss(image_features, input_ids, attention_mask)


def learning_rate_factor(step, warmup=5, steps=50):
    """Rise linearly, then fall as a cosine."""
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup)))


def train(model, prototypes, words, word_mask, noise, batch_size=8):
    """Train one epoch on generated pairs and return the loss of each step.

    An image is the prototype of its concept with some noise, its text the words of the concept.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, learning_rate_factor)
    concepts = torch.arange(len(noise)) % len(prototypes)
    losses = []
    model.train()
    for start in range(0, len(noise), batch_size):
        concept = concepts[start : start + batch_size]
        images = prototypes[concept] + 0.3 * noise[start : start + batch_size]
        optimizer.zero_grad()
        contrastive, matching = model(images, words[concept], word_mask[concept])
        loss = contrastive + matching
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses
