"""The JSON files of the hub's Whisper layout, read back from CTranslate2's own."""

import json
import shutil

from ctranslate2_weights import layers


def write_configuration(tensors, source, out):
    with open(f"{source}/config.json") as file:
        ct2 = json.load(file)
    with open(f"{source}/tokenizer.json") as file:
        added = json.load(file)["added_tokens"]
    ids = {token["content"]: token["id"] for token in added}
    end, start = ids["<|endoftext|>"], ids["<|startoftranscript|>"]
    special = dict(bos_token_id=end, eos_token_id=end, pad_token_id=end, decoder_start_token_id=start)
    vocabulary, width = tensors["decoder/embeddings/weight"].shape
    mels = tensors["encoder/conv1/weight"].shape[1]
    frames = tensors["encoder/position_encodings/encodings"].shape[0]
    length = tensors["decoder/position_encodings/encodings"].shape[0]
    sides = {
        f"{side}_{what}": number
        for side in ("encoder", "decoder")
        for what, number in (
            ("layers", layers(tensors, side)),
            ("attention_heads", int(tensors[f"{side}/num_heads"])),
            ("ffn_dim", tensors[f"{side}/layer_0/ffn/linear_0/bias"].shape[0]),
        )
    }
    written = {
        "config": dict(
            architectures=["WhisperForConditionalGeneration"],
            model_type="whisper",
            activation_function="gelu",
            d_model=width,
            num_hidden_layers=sides["encoder_layers"],
            num_mel_bins=mels,
            max_source_positions=frames,
            max_target_positions=length,
            vocab_size=vocabulary,
            is_encoder_decoder=True,
            scale_embedding=False,
            use_cache=True,
            median_filter_width=7,
            max_length=length,
            **sides,
            **special,
        ),
        "generation_config": dict(
            alignment_heads=ct2["alignment_heads"],
            suppress_tokens=ct2["suppress_ids"],
            begin_suppress_tokens=ct2["suppress_ids_begin"],
            is_multilingual=True,
            lang_to_id={token: i for token, i in ids.items() if i in set(ct2["lang_ids"])},
            task_to_id=dict(transcribe=ids["<|transcribe|>"], translate=ids["<|translate|>"]),
            no_timestamps_token_id=ids["<|notimestamps|>"],
            prev_sot_token_id=ids["<|startofprev|>"],
            max_initial_timestamp_index=50,
            max_length=length,
            return_timestamps=False,
            **special,
        ),
        "tokenizer_config": dict(
            tokenizer_class="WhisperTokenizer",
            processor_class="WhisperProcessor",
            add_prefix_space=False,
            bos_token="<|endoftext|>",
            eos_token="<|endoftext|>",
            unk_token="<|endoftext|>",
            pad_token="<|endoftext|>",
            errors="replace",
            model_max_length=1024,
            clean_up_tokenization_spaces=True,
        ),
        "preprocessor_config": dict(
            feature_extractor_type="WhisperFeatureExtractor",
            processor_class="WhisperProcessor",
            chunk_length=30,
            feature_size=mels,
            hop_length=160,
            n_fft=400,
            n_samples=480000,
            nb_max_frames=2 * frames,
            padding_side="right",
            padding_value=0.0,
            return_attention_mask=False,
            sampling_rate=16000,
        ),
    }
    for name, content in written.items():
        with open(f"{out}/{name}.json", "w") as file:
            json.dump(content, file, indent=1)
    shutil.copy(f"{source}/tokenizer.json", f"{out}/tokenizer.json")
