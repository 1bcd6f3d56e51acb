// One small table, asked wherever a name is not known.
#include "hearth/base/other_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "hearth/base/text.h"

namespace hearth {
namespace {

struct OtherWord {
  const char* hearth;
  const char* others;  // in lower case, with underscores
};

constexpr std::array kOtherWords = {
    OtherWord{"lr", "learning_rate init_lr base_lr"},
    OtherWord{"weight_decay", "l2 decay l2_penalty"},
    OtherWord{"eps", "epsilon"},
    OtherWord{"betas", "beta1 beta2 beta_1 beta_2"},
    OtherWord{"peak", "max_lr peak_lr base_value"},
    OtherWord{"floor", "eta_min min_lr end_value"},
    OtherWord{"warmup", "warmup_steps warmup_epochs num_warmup_steps"},
    OtherWord{"length", "t_max total_steps decay_steps"},
    OtherWord{"at", "milestones boundaries"},
    OtherWord{"piecewise", "multistep multisteplr multi_step step steplr step_lr"},
    OtherWord{"cosine", "cosineannealing cosineannealinglr cosine_annealing cosine_decay"},
    OtherWord{"eval", "validation valid val dev"},
    OtherWord{"accuracy", "acc top1 top_1 sparse_categorical_accuracy categorical_accuracy"},
    OtherWord{"eval/accuracy", "val_acc val_accuracy eval_accuracy accuracy acc"},
    OtherWord{"eval/loss", "val_loss validation_loss eval_loss loss"},
    OtherWord{"train/loss", "train_loss training_loss"},
    OtherWord{"dropout", "dropout_rate drop_rate drop"},
    OtherWord{"p", "dropout_rate drop_rate drop rate prob probability"},
    OtherWord{"hidden",
              "hidden_sizes hidden_size hidden_units hidden_dims hidden_dim layers units"},
    OtherWord{"classes", "num_classes n_classes nb_classes output_dim out_features"},
    OtherWord{"out_features", "units output_dim out_dim num_units"},
    OtherWord{"out_channels", "filters num_filters channels"},
    OtherWord{"heads", "num_heads n_heads n_head nhead"},
    OtherWord{"width", "d_model n_embd embed_dim hidden_size"},
    OtherWord{"layers", "num_layers n_layers n_layer depth"},
    OtherWord{"epochs", "num_epochs n_epochs nb_epochs max_epochs num_train_epochs max_epoch"},
    OtherWord{"batch_size", "batch bs batchsize minibatch_size per_device_train_batch_size"},
    OtherWord{"seed", "random_seed random_state manual_seed"},
    OtherWord{"workers", "num_workers n_workers num_threads"},
    OtherWord{"depth", "prefetch prefetch_factor buffer_size"},
    OtherWord{"ops", "transforms transform augmentation augmentations preprocessing"},
    OtherWord{"loss", "criterion objective loss_fn loss_function"},
    OtherWord{"traces", "callbacks callback hooks"},
    OtherWord{"data", "dataset datasets dataloader dataloaders"},
    OtherWord{"train", "trainer training fit"},
    OtherWord{"model", "net architecture arch backbone"},
    OtherWord{"device",
              "gpus gpu gpu_id num_gpus n_gpus ngpus accelerator devices use_gpu use_cuda no_cuda "
              "no_gpu cpu cuda"},
    OtherWord{"replicas", "world_size nproc_per_node num_processes nproc num_replicas"},
    OtherWord{"zero", "zero_stage zero_optimization zero_optimizer"},
    OtherWord{"cuda", "gpu"},
    OtherWord{"average", "ema ema_decay polyak"},
    OtherWord{"cross_entropy",
              "crossentropyloss cross_entropy_loss sparse_categorical_crossentropy "
              "categorical_crossentropy crossentropy nll nll_loss nllloss ce"},
    OtherWord{"linear", "dense fc fully_connected"},
    OtherWord{"conv2d", "conv convolution convolution2d"},
    OtherWord{"batch_norm2d", "batchnorm batch_norm bn batchnormalization"},
    OtherWord{"layer_norm", "layernorm layernormalization"},
    OtherWord{"max_pool2d", "maxpool maxpooling2d max_pooling2d max_pool"},
    OtherWord{"average_pool2d", "avgpool avgpool2d avg_pool2d averagepooling2d"},
    OtherWord{"global_average_pool", "globalaveragepooling2d adaptiveavgpool2d gap"},
    OtherWord{"self_attention", "multiheadattention multi_head_attention attention"},
    OtherWord{"transformer_block", "transformer transformerencoderlayer"},
    OtherWord{"best_model", "modelcheckpoint model_checkpoint checkpoint save_best"},
    OtherWord{"early_stopping", "earlystopping"},
    OtherWord{"progress", "progress_bar progressbar tqdm"},
    OtherWord{"clip_norm", "gradient_clip_val clip_grad_norm max_grad_norm grad_clip clipnorm"},
    OtherWord{"accumulate", "accumulate_grad_batches gradient_accumulation_steps accum_steps"},
    OtherWord{"every", "save_every interval period save_steps"},
    OtherWord{"keep", "max_to_keep save_total_limit save_top_k"},
    OtherWord{"idx", "mnist fashion_mnist"},
    OtherWord{"in", "input inputs"},
    OtherWord{"out", "output outputs"},
};

// "--learning-rate" and "torch.optim.SGD" as the table writes them.
std::string plain_word(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  if (const size_t dot = word.rfind('.'); dot != word.npos) word.remove_prefix(dot + 1);
  std::string plain;
  for (const char letter : word)
    plain +=
        letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return plain;
}

}  // namespace

std::vector<std::string> hearth_words_for(std::string_view word) {
  const std::string plain = plain_word(word);
  std::vector<std::string> words;
  for (const auto& [hearth, others] : kOtherWords) {
    const std::vector<std::string> known = split(others, ' ');
    if (std::find(known.begin(), known.end(), plain) != known.end()) words.emplace_back(hearth);
  }
  // What differs by its place or its case only.
  if (plain != word) words.push_back(plain);
  return words;
}

}  // namespace hearth
