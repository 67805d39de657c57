"""Define the output classes of transformers.modeling_outputs, field by field."""

# The fields are the documentation.
# ruff: noqa: D101

from __future__ import annotations

from typing import Any

from .outputs import ModelOutput


class BaseModelOutput(ModelOutput, names="last_hidden_state hidden_states attentions"):
    pass


class BaseModelOutputWithNoAttention(ModelOutput, names="last_hidden_state hidden_states"):
    pass


class BaseModelOutputWithPooling(
    ModelOutput,
    names="last_hidden_state pooler_output hidden_states attentions",
):
    pass


class BaseModelOutputWithPoolingAndNoAttention(
    ModelOutput,
    names="last_hidden_state pooler_output hidden_states",
):
    pass


class BaseModelOutputWithPast(
    ModelOutput,
    names="last_hidden_state cache hidden_states attentions",
):
    pass


class BaseModelOutputWithCrossAttentions(
    ModelOutput,
    names="last_hidden_state hidden_states attentions cross_attentions",
):
    pass


class BaseModelOutputWithPoolingAndCrossAttentions(
    ModelOutput,
    names="last_hidden_state pooler_output hidden_states cache attentions cross_attentions",
):
    pass


class BaseModelOutputWithPastAndCrossAttentions(
    ModelOutput,
    names="last_hidden_state cache hidden_states attentions cross_attentions",
):
    pass


class MoEModelOutput(
    ModelOutput,
    names="last_hidden_state hidden_states attentions router_probs router_logits",
):
    pass


class MoeModelOutputWithPast(
    ModelOutput,
    names="last_hidden_state cache hidden_states attentions router_logits",
):
    pass


class MoeCausalLMOutputWithPast(
    ModelOutput,
    names="loss aux_loss logits cache hidden_states attentions router_logits",
):
    pass


class MoEModelOutputWithPastAndCrossAttentions(
    ModelOutput,
    names="last_hidden_state cache hidden_states attentions cross_attentions router_probs "
    "router_logits",
):
    pass


class Seq2SeqModelOutput(
    ModelOutput,
    names="last_hidden_state cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
):
    pass


class MultimodalModelOutput(ModelOutput):
    def to_tuple(self) -> tuple[Any, ...]:
        """Return the fields that are not None, with the outputs of each encoder as a tuple."""
        return tuple(
            value.to_tuple()
            if name in ("image_outputs", "video_outputs", "audio_outputs")
            else value
            for name, value in self.items()
        )


class MultimodalBaseModelOutputWithPast(
    MultimodalModelOutput,
    names="last_hidden_state cache hidden_states attentions image_outputs video_outputs "
    "audio_outputs",
):
    pass


class MultimodalCausalLMOutputWithPast(
    MultimodalModelOutput,
    names="loss logits cache hidden_states attentions image_outputs video_outputs audio_outputs",
):
    pass


class MultimodalMoeBaseModelOutputWithPast(
    MultimodalModelOutput,
    names="last_hidden_state cache hidden_states attentions router_logits image_outputs "
    "video_outputs audio_outputs",
):
    pass


class MultimodalMoeCausalLMOutputWithPast(
    MultimodalModelOutput,
    names="loss aux_loss logits cache hidden_states attentions router_logits image_outputs "
    "video_outputs audio_outputs",
):
    pass


class Seq2SeqMoEModelOutput(
    ModelOutput,
    names="last_hidden_state cache decoder_hidden_states decoder_attentions "
    "decoder_router_logits cross_attentions encoder_last_hidden_state "
    "encoder_hidden_states encoder_attentions encoder_router_logits",
):
    pass


class CausalLMOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class CausalLMOutputWithPast(ModelOutput, names="loss logits cache hidden_states attentions"):
    pass


class CausalLMOutputWithCrossAttentions(
    ModelOutput,
    names="loss logits cache hidden_states attentions cross_attentions",
):
    pass


class SequenceClassifierOutputWithPast(
    ModelOutput,
    names="loss logits cache hidden_states attentions",
):
    pass


class MaskedLMOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class Seq2SeqLMOutput(
    ModelOutput,
    names="loss logits cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
):
    pass


class Seq2SeqMoEOutput(
    ModelOutput,
    names="loss logits encoder_z_loss decoder_z_loss encoder_aux_loss decoder_aux_loss cache "
    "decoder_hidden_states decoder_attentions decoder_router_logits cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions "
    "encoder_router_logits",
):
    pass


class NextSentencePredictorOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class SequenceClassifierOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class Seq2SeqSequenceClassifierOutput(
    ModelOutput,
    names="loss logits cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
):
    pass


class MultipleChoiceModelOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class TokenClassifierOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class QuestionAnsweringModelOutput(
    ModelOutput,
    names="loss start_logits end_logits hidden_states attentions",
):
    pass


class Seq2SeqQuestionAnsweringModelOutput(
    ModelOutput,
    names="loss start_logits end_logits cache decoder_hidden_states decoder_attentions "
    "cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions",
):
    pass


class SemanticSegmenterOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class ImageClassifierOutput(ModelOutput, names="loss logits hidden_states attentions"):
    pass


class ImageClassifierOutputWithNoAttention(ModelOutput, names="loss logits hidden_states"):
    pass


class DepthEstimatorOutput(ModelOutput, names="loss predicted_depth hidden_states attentions"):
    pass


class ImageSuperResolutionOutput(ModelOutput, names="loss reconstruction hidden_states attentions"):
    pass


class Wav2Vec2BaseModelOutput(
    ModelOutput,
    names="last_hidden_state extract_features hidden_states attentions",
):
    pass


class XVectorOutput(ModelOutput, names="loss logits embeddings hidden_states attentions"):
    pass


class BackboneOutput(ModelOutput, names="feature_maps hidden_states attentions"):
    pass


class BaseModelOutputWithPoolingAndProjection(
    ModelOutput,
    names="last_hidden_state pooler_output hidden_states attentions projection_state",
):
    pass


class Seq2SeqSpectrogramOutput(
    ModelOutput,
    names="loss spectrogram cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
):
    pass


class Seq2SeqTSModelOutput(
    ModelOutput,
    names="last_hidden_state cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions loc scale "
    "static_features",
):
    pass


class Seq2SeqTSPredictionOutput(
    ModelOutput,
    names="loss params cache decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions loc scale "
    "static_features",
):
    pass


class SampleTSPredictionOutput(ModelOutput, names="sequences"):
    pass


class MaskedImageModelingOutput(ModelOutput, names="loss reconstruction hidden_states attentions"):
    pass


class MoECausalLMOutputWithPast(
    ModelOutput,
    names="loss aux_loss logits cache hidden_states attentions router_logits",
):
    pass
